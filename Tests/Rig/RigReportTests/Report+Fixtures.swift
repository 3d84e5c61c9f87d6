import Foundation
import RigModel
import Testing

/// The object that a JSON document is.
func parsed(_ json: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try #require(object as? [String: Any])
}

/// How many lines a text has; after a line end at its end an empty one.
func lineCount(_ text: String) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).count
}

/// A row in which every value is known.
func makeFullRow(
    _ policyName: String = "512KB", iteration: Int = 1,
    change: (inout IterationRow) -> Void = { _ in }
) -> IterationRow {
    let policy = Policy(policyName) ?? Policy(threshold: nil)
    var row = IterationRow(
        runID: "2026-11-21-1",
        plan: PlannedIteration(
            iteration: iteration, policy: policy, trigger: .bytes(3_000_000), delaySeconds: 0,
            seed: UInt64.max),
        kill: 1, worker: "downloader", workload: "download", fault: .sigkill, verdict: .pass,
        reason: "")
    row.phase = .committing
    row.realised = 3_000_000
    row.killSeconds = 0.25
    row.servedBytes = 3_000_002
    row.receivedBytes = 3_000_000
    row.acknowledgedBytes = 2_621_440
    row.recoveredBytes = 2_621_440
    row.lostBytes = 378_560
    row.lossPercent = 12.619
    row.boundBytes = policy.boundPerRequest(under: .sigkill)
    row.boundOK = policy.boundPerRequest(under: .sigkill).map { $0 >= 378_560 }
    row.corruptBytes = 0
    row.integrity = true
    row.chunks = 5
    row.commits = 5
    row.activeRequests = 1
    row.refetchedBytes = 7_864_320
    row.recoverySeconds = 0.012_5
    row.resumeSeconds = 0.02
    row.retrievedBytes = 2_621_440
    row.chunksRetrieved = 5
    change(&row)
    return row
}

/// Hostile or careless names.
let hostileTexts = [
    "a,b", "\"", "say \"no\"", "two\nlines", "carriage\rreturn", "crlf\r\n", "\n", ",", "\",\"",
    "pipe | pipe", "<script>alert(1)</script>", "& &amp;", "`code`", "ünïcödé 🎬", " spaces ",
    "\u{1B}[31mred", "@everyone", "[link](https://example.org)", "\\", "tab\there", "\u{0}",
]

/// A run with everything that a report can show.
func makeSummary(
    command: String = "rig kill-test --iterations 100", status: RigModel.ExitStatus = .gateFailed
) -> RunSummary {
    var policy = PolicySummary(policy: "512KB")
    policy.worker = "downloader"
    policy.fault = "sigkill"
    policy.iterations = 100
    policy.kills = 100
    policy.passed = 98
    policy.failed = 1
    policy.inconclusive = 1
    policy.receivedBytes = 500_000_000
    policy.recoveredBytes = 475_000_000
    policy.lostBytes = 25_000_000
    policy.lossPercent = 5
    policy.documentedLossPercent = "3-5"
    policy.lostBytesMedian = 262_144.5
    policy.lostBytesP95 = 500_000
    policy.lostBytesP99 = 520_000
    policy.lostBytesMax = 524_288
    policy.boundBytes = 524_288
    policy.violations = 1
    policy.violationRateUCB95 = 0.046_559_8
    policy.refetchedBytes = 600_000_000
    policy.cost.writtenBytes = 943_718.5
    policy.cost.writes = 58.25
    policy.cost.commits = 1.875
    policy.cost.checkpoints = 0
    policy.cost.processorSeconds = 0.010_5
    policy.commitsMean = 9.5
    policy.commitBytesMean = 510_000.25
    policy.recoverySecondsMedian = 0.012_345_6
    policy.recoverySecondsP99 = 0.2
    policy.allowedLossPercent = 9.125
    policy.notJudged = 40
    policy.notJudgedBy = [.bound: 2, .agreement: 40]
    policy.keptNothing = 3
    policy.attempts = 107
    policy.killSpread = "as planned"
    policy.strata = [
        Stratum(phase: .starting, isInReach: false),
        Stratum(phase: .receiving, kills: 60, violationRateUCB95: 0.048_7),
        Stratum(phase: .committing, kills: 39, violations: 1, violationRateUCB95: 0.115_9),
        Stratum(phase: .evicting), Stratum(phase: .idle),
    ]
    let gates = [
        GateResult(
            gate: "violations == 0", policy: nil, value: 1, limit: 0, unit: .count, n: 99,
            interval: nil, verdict: .fails),
        GateResult(
            gate: "loss_percent <= 10", policy: "512KB", value: 5, limit: 10, unit: .percent, n: 99,
            interval: ConfidenceInterval(low: 4.5, high: nil), verdict: .holds),
        GateResult(
            gate: "disabled:loss_percent >= 97", policy: "disabled", value: nil, limit: 97,
            unit: .percent, n: 0, interval: nil, verdict: .unknown),
    ]
    return RunSummary(
        runID: "2026-11-21-1", command: command, seed: UInt64.max, expectedRows: 200, rows: 100,
        policies: [policy, PolicySummary(policy: "disabled")], gates: gates, status: status,
        sentences: ["gate failed: violations == 0: is 1, limit 0, n 99"])
}
