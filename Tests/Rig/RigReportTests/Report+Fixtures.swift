import Foundation
import RigModel
import Testing

func parsed(_ json: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try #require(object as? [String: Any])
}

/// Expects that a text has all of some parts, and none of others.
func expect(
    _ text: String, has parts: String..., lacks others: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for part in parts {
        #expect(text.contains(part), "\(part) in\n\(text)", sourceLocation: sourceLocation)
    }
    for part in others {
        #expect(!text.contains(part), "\(part) in\n\(text)", sourceLocation: sourceLocation)
    }
}

func expect(
    _ lines: [some StringProtocol], has parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for part in parts {
        #expect(lines.contains { $0 == part }, "\(part)", sourceLocation: sourceLocation)
    }
}

/// How many lines a text has; after a line end at its end an empty one.
func lineCount(_ text: String) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).count
}

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
    (row.phase, row.realised, row.killSeconds) = (.committing, 3_000_000, 0.25)
    (row.servedBytes, row.receivedBytes) = (3_000_002, 3_000_000)
    (row.acknowledgedBytes, row.recoveredBytes) = (2_621_440, 2_621_440)
    (row.lostBytes, row.lossPercent) = (378_560, 12.619)
    row.boundBytes = policy.boundPerRequest(under: .sigkill)
    row.boundOK = row.boundBytes.map { $0 >= 378_560 }
    (row.corruptBytes, row.integrity) = (0, true)
    (row.chunks, row.commits, row.activeRequests) = (5, 5, 1)
    (row.refetchedBytes, row.recoverySeconds, row.resumeSeconds) = (7_864_320, 0.012_5, 0.02)
    (row.retrievedBytes, row.chunksRetrieved) = (2_621_440, 5)
    change(&row)
    return row
}

/// Hostile or careless names.
let hostileTexts = [
    "a,b", "\"", "say \"no\"", "two\nlines", "carriage\rreturn", "crlf\r\n", "\n", ",", "\",\"",
    "pipe | pipe", "<script>alert(1)</script>", "& &amp;", "`code`", "ünïcödé 🎬", " spaces ",
    "\u{1B}[31mred", "@everyone", "[link](https://example.org)", "\\", "tab\there", "\u{0}",
]

func makeSummary(
    command: String = "rig kill-test --iterations 100", status: RigModel.ExitStatus = .gateFailed
) -> RunSummary {
    var policy = PolicySummary(policy: "512KB")
    (policy.worker, policy.fault) = ("downloader", "sigkill")
    (policy.iterations, policy.kills) = (100, 100)
    (policy.passed, policy.failed, policy.inconclusive) = (98, 1, 1)
    (policy.receivedBytes, policy.recoveredBytes) = (500_000_000, 475_000_000)
    (policy.lostBytes, policy.lossPercent) = (25_000_000, 5)
    (policy.documentedLossPercent, policy.allowedLossPercent) = ("3-5", 9.125)
    (policy.lostBytesMedian, policy.lostBytesP95) = (262_144.5, 500_000)
    (policy.lostBytesP99, policy.lostBytesMax) = (520_000, 524_288)
    (policy.boundBytes, policy.violations) = (524_288, 1)
    (policy.violationRateUCB95, policy.refetchedBytes) = (0.046_559_8, 600_000_000)
    (policy.cost.writtenBytes, policy.cost.writes) = (943_718.5, 58.25)
    (policy.cost.commits, policy.cost.checkpoints) = (1.875, 0)
    policy.cost.processorSeconds = 0.010_5
    (policy.commitsMean, policy.commitBytesMean) = (9.5, 510_000.25)
    (policy.recoverySecondsMedian, policy.recoverySecondsP99) = (0.012_345_6, 0.2)
    (policy.notJudged, policy.notJudgedBy) = (40, [.bound: 2, .agreement: 40])
    (policy.keptNothing, policy.attempts, policy.killSpread) = (3, 107, "as planned")
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
