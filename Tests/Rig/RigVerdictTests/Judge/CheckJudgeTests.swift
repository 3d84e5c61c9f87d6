import RigModel
import Testing

@testable import RigVerdict

/// How a kill is judged by the check of its user.
@Suite struct CheckJudgeTests {
    private func judged(
        _ after: CheckEvidence.Outcome = .sound, before: CheckEvidence.Outcome? = nil,
        _ change: (inout Scene) -> Void = { _ in }
    ) -> Judgement {
        let check = CheckEvidence(before: before, after: after, lines: 3)
        return Scene.program(check).with(change).judged
    }

    private func row(_ judgement: Judgement) -> IterationRow {
        judgement.row(runID: "run", worker: "program", workload: "check")
    }

    @Test func aSoundKillPassesAndHasNoBytes() {
        let row = row(judged())
        #expect(row.verdict == .pass && row.reason.isEmpty && row.notJudged.isEmpty)
        #expect(row.contradiction == nil)
        let bytes = [
            row.thresholdBytes, row.servedBytes, row.receivedBytes, row.acknowledgedBytes,
            row.recoveredBytes, row.lostBytes, row.boundBytes, row.corruptBytes, row.refetchedBytes,
            row.launchBytes,
        ]
        #expect(bytes.allSatisfy { $0 == nil })
        #expect(row.realised == 3 && row.recoverySeconds == 0.0125)
    }

    /// A program that filled a buffer had said nothing at any kill, and the check of that passed.
    @Test func aPassBeforeTheFirstLineSaysSo() {
        func row(_ looksAtLines: Bool?) -> IterationRow {
            var check = CheckEvidence(before: nil, after: .sound, lines: 0)
            check.looksAtLines = looksAtLines
            return self.row(Scene.program(check).judged)
        }
        #expect(row(true).reason == RowReason.unsaid && row(true).hasNoPromise)
        #expect(row(true).verdict == .pass && row(true).contradiction == nil)
        #expect(row(nil).reason.isEmpty && !row(nil).hasNoPromise)
    }

    @Test(arguments: [(3, "said line 3 as it ended"), (2, "said 2 of 3 lines")])
    func aLineThatCameTooLateForItsKillIsNamed(lines: Int, words: String) {
        let scene = Scene.program(CheckEvidence(before: nil, after: .sound, lines: lines)).with {
            $0.end(.exited(0))
        }
        let row = row(scene.judged)
        #expect(row.verdict == .inconclusive && row.reason.contains(words), "\(row.reason)")
    }

    @Test func theLastLineOfTheCheckIsTheReason() {
        let row = row(judged(.violated("row 7 is gone")))
        #expect(row.verdict == .fail && row.checkers == [.check])
        #expect(row.reason == "check: row 7 is gone" && row.contradiction == nil)
    }

    @Test func whatIsFoundBeforeTheRelaunchIsSaidToBe() {
        let row = row(judged(before: .violated("torn")))
        #expect(row.reason == "check: before the relaunch: torn")
    }

    /// The reason was the check's last line alone, not which of a hundred calls had failed.
    @Test func theFailingCallIsNamed() {
        let row = row(
            judged(.violated("row 7 is gone")) { scene in
                let failing = Scene.failing(.exited(0))
                scene.fault = .callError
                scene.trigger = failing.trigger
                scene.death = .exited(0)
                scene.calls = failing.calls
            })
        #expect(
            row.finding(of: .check)?.hasSuffix("data.tmp failed with ENOSPC: row 7 is gone")
                == true,
            "\(row.reason)")
    }

    @Test func aCheckThatFailsIsNeverAPass() {
        let row = row(judged(.unknown("the check has failed: exit code 2")))
        #expect(row.verdict == .inconclusive && row.checkers.isEmpty)
        #expect(row.reason == "the check has failed: exit code 2")
    }

    @Test func aViolationCountsBesideACheckThatFails() {
        #expect(row(judged(.unknown("signal 9"), before: .violated("torn"))).verdict == .fail)
    }

    @Test func aProgramThatCrashesAfterTheKillFails() {
        let row = row(judged { $0.resumptionDeath = .signaled(11) })
        #expect(row.checkers == [.crash])
    }

    @Test func aKillThatNeverCameProvesNothing() {
        let late = judged {
            $0.end(.exited(0))
        }
        #expect(late.verdict == .inconclusive && late.evidence.isUneventful)
        #expect(late.evidence.wasMissed)
    }

    @Test func whatTheCheckRefusesIsWrongWithoutAKillAsWell() {
        let row = row(
            judged(.violated("torn")) {
                $0.end(.exited(0))
            })
        #expect(row.checkers == [.check])
    }

    @Test func aPowerCutOfWhichNotAllIsKnownIsNotJudged() {
        var evidence = Scene.program(CheckEvidence(before: nil, after: .sound, lines: 0)).evidence
        evidence.unseen = ["io_uring"]
        #expect(row(Judge.judge(evidence)).notJudged == [.check])
    }

    /// `inconclusive_percent <= 10 [512KB]`, of a program without thresholds.
    @Test func aGateNamesNoPolicyOfAProgram() throws {
        let gate = try Gate("inconclusive_percent <= 10")
        #expect(gate.scopes([Policy.program.name]) == [nil])
        #expect(gate.scopes(["512KB", "1MB"]) == ["512KB", "1MB"])
    }

    @Test func onlyGatesOnWhatThereIsAreTaken() throws {
        let gates = try Gate.fitting(Gate.defaults, .check).map(\.text)
        #expect(gates == ["violations == 0", "inconclusive_percent <= 10"])
        #expect(try Gate.fitting(Gate.defaults, .download) == Gate.defaults)
        #expect(throws: RigError.self) {
            try Gate.fitting([Gate("loss_percent <= 5")], .check)
        }
    }
}
