import RigModel
import RigVerdict
import Testing

/// A row for tests of summaries and gates.
func makeRow(
    _ policy: String = "512KB", iteration: Int = 1, verdict: Verdict = .pass, reason: String = "",
    checkers: Set<Checker> = [.bound], lost: Int64? = 100, received: Int64? = 1_000,
    change: (inout IterationRow) -> Void = { _ in }
) -> IterationRow {
    let policy = Policy(policy) ?? Policy(threshold: nil)
    var row = IterationRow(
        runID: "run",
        plan: PlannedIteration(
            iteration: iteration, policy: policy, trigger: .bytes(1_000), delaySeconds: 0,
            seed: UInt64(iteration)),
        kill: 1, worker: "downloader", workload: "download", fault: .sigkill, verdict: verdict,
        reason: reason.isEmpty && verdict == .fail
            ? Checker.allCases.filter(checkers.contains).map { "\($0.rawValue): too much" }
                .joined(separator: "; ") : reason)
    row.checkers = verdict == .fail ? checkers : []
    row.receivedBytes = received
    row.lostBytes = lost
    if let lost, let received {
        row.recoveredBytes = received - lost
        row.lossPercent = 100 * Double(lost) / Double(received)
    }
    row.boundBytes = policy.boundPerRequest(under: .sigkill)
    row.corruptBytes = 0
    row.integrity = true
    row.phase = .receiving
    change(&row)
    return row
}

/// A later kill of a chain that came in the recovery for which it was planned.
func makeRecoveryRow(
    iteration: Int = 1, change: (inout IterationRow) -> Void = { _ in }
) -> IterationRow {
    makeRow(iteration: iteration) {
        $0.kill = 2
        $0.trigger = TriggerKind.phase.rawValue
        $0.planned = Trigger.recovery(0.5).planned
        $0.phase = .recovering
        $0.realised = 0.5
        change(&$0)
    }
}

/// This many rows, numbered from iteration 1.
func makeRows(
    _ count: Int, _ policy: String = "512KB", change: (inout IterationRow) -> Void = { _ in }
) -> [IterationRow] {
    (0..<count).map { makeRow(policy, iteration: $0 + 1, change: change) }
}

extension IterationRow {
    /// The row with a change.
    func with(_ change: (inout IterationRow) -> Void) -> IterationRow {
        var row = self
        change(&row)
        return row
    }
}

/// The summary of a run of such rows, with its gates as they are written.
func makeSummary(
    _ rows: [IterationRow], expected: Int? = nil, gates: [String] = []
) throws -> RunSummary {
    try RunSummary(
        runID: "run", command: "rig", seed: 1, rows: rows, expectedRows: expected ?? rows.count,
        gates: gates.map { try Gate($0) })
}

/// A part of a larger run, of which it is not known how long its video is where no rows were due.
func makePart(
    _ name: String = "part", _ rows: [IterationRow] = [], exitCode: Int32 = 0, expected: Int?,
    videoLength: Int64 = 10 << 20, complaint: String = "what it said"
) -> RunPart {
    RunPart(
        name: name, exitCode: exitCode, expectedRows: expected,
        videoLength: expected.map { _ in videoLength }, rows: rows, complaint: complaint)
}

/// The message of what some code refuses; nil if it refuses nothing.
func refusal(_ status: RigModel.ExitStatus = .data, _ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        let refused = error as? RigError
        #expect(refused?.status == status)
        return refused?.message ?? "\(error)"
    }
}

/// What gates compare with: a run of such rows.
func makeBaseline(_ rows: [IterationRow]) -> GateBaseline {
    GateBaseline(run: ComparableRun(name: "old", rows: rows, facts: nil), history: nil)
}
