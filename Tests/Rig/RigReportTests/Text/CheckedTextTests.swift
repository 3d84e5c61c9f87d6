import RigModel
import RigReport
import Testing

/// What the conclusion says of any program that a check judges.
@Suite struct CheckedTextTests {
    private static let command = "check-notes.py {dir} {said}"

    private func conclusion(
        _ rows: [IterationRow] = CheckedTextTests.rows(4), fault: Fault = .sigkill,
        _ change: (inout ProgramCheck) -> Void = { _ in }
    ) -> String {
        var check = ProgramCheck(Self.command)
        check.sees = "rm {dir}/notes"
        change(&check)
        let profile = WorkerProfile(name: "notes.py", command: ["notes.py", "{dir}"], check: check)
        let run = makeVerdictRun(
            rows, policies: ["program"], gates: [], fault: fault, worker: "notes.py",
            profile: profile)
        return VerdictText.text(run)
    }

    private static func rows(_ count: Int) -> [IterationRow] {
        (1...count).map { iteration in
            IterationRow(
                runID: "run",
                plan: PlannedIteration(
                    iteration: iteration, policy: .program, trigger: .time(0.5), delaySeconds: 0,
                    seed: 1),
                kill: 1, worker: "notes.py", workload: "check", fault: .sigkill, verdict: .pass,
                reason: "")
        }
    }

    /// An import that goes on where it was had lost records after 28 of 60 power cuts, and passed:
    /// the relaunch had done the work again before the check looked.
    @Test func aPassSaysWhatWasNotChecked() {
        let text = conclusion()
        let lines = """
              not checked     what was there before the relaunch → --check-before
              not tested      kills at calls → --trigger syscall
              not tested      power cuts → --fault power-cut-torn

            """
        #expect(text.hasPrefix("PASS") && text.contains(lines), "\(text)")
    }

    @Test func killsBeforeTheFirstLineAreCounted() {
        var rows = Self.rows(4)
        for index in 0..<3 { rows[index].reason = RowReason.unsaid }
        let some = conclusion(rows)
        #expect(
            some.contains("  before a line   3 of 4 kills     nothing had been promised yet\n"),
            "\(some)")
        rows[3].reason = RowReason.unsaid
        let all = conclusion(rows)
        let lines = """
              not judged      promises: it had said no line at any kill
                              (does it flush each? PYTHONUNBUFFERED=1, stdbuf -oL)

            """
        #expect(all.contains(lines), "\(all)")
    }

    @Test func whatWasCheckedIsNotNamed() {
        let before = conclusion { $0.isRunBefore = true }
        #expect(!before.contains("not checked"), "\(before)")
        let never = conclusion { $0.relaunches = false }
        #expect(!never.contains("not checked"), "\(never)")
    }

    /// Kills at calls go with signal 9 only; after a real power cut there is still the model.
    @Test func onlyWhatThereIsIsSuggested() {
        let aborted = conclusion(fault: .abort)
        #expect(!aborted.contains("--trigger syscall"), "\(aborted)")
        let cut = conclusion(fault: .powerCut)
        #expect(
            cut.contains("not tested      modelled power cuts → --fault power-cut-torn\n"), "\(cut)"
        )
        let modelled = conclusion(fault: .powerCutTorn)
        #expect(modelled.contains("power cuts at calls → --trigger syscall"), "\(modelled)")
        #expect(!modelled.contains("--fault"), "\(modelled)")
    }
}
