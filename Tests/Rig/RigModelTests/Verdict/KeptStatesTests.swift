import RigModel
import Testing

@Suite("The states of the first three kills of each kind are kept")
struct KeptStatesTests {
    private func row(
        _ reason: String, _ verdict: Verdict = .fail, policy: String = "512KB"
    ) -> IterationRow {
        IterationRow(
            runID: "run",
            plan: PlannedIteration(
                iteration: 1, policy: Policy(policy) ?? Policy(threshold: nil),
                trigger: .bytes(1000), delaySeconds: 0, seed: 1),
            kill: 1, worker: "w", workload: "download", fault: .sigkill, verdict: verdict,
            reason: reason)
    }

    @Test func theFirstOfEachKind() {
        let rows = [
            row("lost 1 byte"), row("lost 7 bytes"), row("", .pass), row("is empty"),
            row("lost 9 bytes"), row("lost 3 bytes"), row("lost 3 bytes", policy: "1MB"),
            row("lost 3 bytes", .inconclusive), row("lost 3 bytes"),
        ]
        var first = KeptStates(.first)
        #expect(
            rows.map { first.keeps($0) }
                == [true, true, false, true, true, false, true, true, false])
        var all = KeptStates(.all)
        #expect(rows.map { all.keeps($0) } == rows.map { $0.verdict != .pass })
    }
}
