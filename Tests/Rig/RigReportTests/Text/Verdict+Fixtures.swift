import RigModel
import RigReport

func makeVerdictRun(
    _ rows: [IterationRow], policies: [String] = ["512KB"], gates: [GateResult] = [],
    status: RigModel.ExitStatus = .success, caveats: [String] = [], rate: Double? = 0.029_5,
    fault: Fault = .sigkill, worker: String = "downloader", expectedRows: Int? = nil,
    folder: String = "results/latest", profile: WorkerProfile? = nil, calls: Int? = nil,
    evidence: EvidenceChoice? = nil, change: (inout RunSummary) -> Void = { _ in }
) -> ReportedRun {
    var summary = RunSummary(
        runID: "run", command: "rig kill-test", seed: 2_533_291_769,
        expectedRows: expectedRows ?? rows.count, rows: rows.count,
        policies: policies.map { name in
            makePolicy(name, rows.filter { $0.policy == name }, rate: rate)
        },
        gates: gates, status: status, sentences: [])
    summary.caveats = caveats
    change(&summary)
    var manifest = makeRunManifest(
        worker: worker, fault: fault, policies: policies, profile: profile)
    manifest.calls = calls
    manifest.evidence = evidence
    return ReportedRun(manifest: manifest, rows: rows, summary: summary, folder: folder)
}

private func makePolicy(_ name: String, _ rows: [IterationRow], rate: Double?) -> PolicySummary {
    var policy = PolicySummary(policy: name)
    let conclusive = rows.filter { $0.verdict != .inconclusive }
    (policy.kills, policy.iterations) = (rows.count, rows.count)
    policy.passed = rows.count { $0.verdict == .pass }
    policy.failed = rows.count { $0.verdict == .fail }
    policy.violations = policy.failed
    policy.inconclusive = rows.count { $0.verdict == .inconclusive }
    policy.violationRateUCB95 = rate
    let lost = conclusive.compactMap(\.lostBytes).sorted()
    policy.lostBytesMax = lost.last
    policy.lostBytesMedian = lost.isEmpty ? nil : Double(lost[lost.count / 2])
    policy.boundBytes = conclusive.compactMap(\.boundBytes).max()
    let received = conclusive.compactMap(\.receivedBytes).reduce(0, +)
    if received > 0, !lost.isEmpty {
        policy.lossPercent = 100 * Double(lost.reduce(0, +)) / Double(received)
        let allowed = conclusive.compactMap(\.allowedLossBytes)
        if !allowed.isEmpty {
            policy.allowedLossPercent = 100 * Double(allowed.reduce(0, +)) / Double(received)
        }
    }
    policy.strata = Phase.allCases.map { phase in
        Stratum(
            phase: phase, isInReach: phase != .evicting && phase != .cancelling,
            kills: conclusive.count { $0.phase == phase })
    }
    return policy
}

func makeRows(
    _ count: Int, of policy: String = "512KB", from first: Int = 1,
    change: (inout IterationRow) -> Void = { _ in }
) -> [IterationRow] {
    (first..<first + count).map { makeFullRow(policy, iteration: $0, change: change) }
}

func leaveOut(_ row: inout IterationRow, because reason: String) {
    (row.verdict, row.reason, row.checkers) = (.inconclusive, reason, [])
}

func fail(_ row: inout IterationRow, _ findings: [(checker: Checker, detail: String)]) {
    row.verdict = .fail
    row.checkers = Set(findings.map(\.checker))
    row.reason = findings.map { "\($0.checker.rawValue): \($0.detail)" }.joined(separator: "; ")
}

func makeGate(
    _ gate: String, _ verdict: GateVerdict, value: Double?, limit: Double,
    unit: MetricUnit = .count, policy: String? = nil, n: Int = 20,
    interval: ConfidenceInterval? = nil, unknownRows: Int = 0
) -> GateResult {
    GateResult(
        gate: gate, policy: policy, value: value, limit: limit, unit: unit, n: n,
        interval: interval, verdict: verdict, unknownRows: unknownRows)
}

let standardGates = [
    makeGate("violations == 0", .holds, value: 0, limit: 0),
    makeGate("corrupt_bytes == 0", .holds, value: 0, limit: 0, unit: .bytes),
    makeGate(
        "inconclusive_percent <= 10", .holds, value: 1, limit: 10, unit: .percent, policy: "512KB"),
]
