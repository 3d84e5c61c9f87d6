import RigModel
import Testing

@testable import RigVerdict

@Suite("An audit is judged by the rows of its runs")
struct AuditJudgeTests {
    private let situation = AuditSituation.all[0]

    private func finding(
        _ rows: [IterationRow], exitCode: Int32 = 0, expected: Int? = nil
    ) -> AuditFinding {
        AuditJudge.finding(
            situation,
            part: makePart("part", rows, exitCode: exitCode, expected: expected ?? rows.count),
            command: "rig kill-test", folder: "run/part")
    }

    private func row(_ verdict: Verdict, _ reason: String = "", lost: Int64 = 0) -> IterationRow {
        makeRow(verdict: verdict, lost: lost, received: 1000) { $0.reason = reason }
    }

    @Test("a failure counts, whatever else is not judged, and the most frequent kind is named")
    func failures() {
        let rows = [
            row(.fail, "integrity: 7 foreign bytes"), row(.fail, "shifted by -1"), row(.pass),
            row(.inconclusive, "too late"), row(.fail, "shifted by -2"),
        ]
        let finding = finding(rows, exitCode: 69, expected: 9)
        #expect(finding.outcome == .fails(3, of: 4, reason: "shifted by -1"))
    }

    @Test(
        "what shows nothing is no pass",
        arguments: [
            ([], 69, 0), ([], 0, 4), ([.pass], 0, 4), ([.pass], 70, 1), ([.inconclusive], 98, 1),
            ([.inconclusive], 0, 1),
        ] as [([Verdict], Int32, Int)])
    func unknown(verdicts: [Verdict], exitCode: Int32, expected: Int) {
        let finding = finding(verdicts.map { row($0) }, exitCode: exitCode, expected: expected)
        guard case .unknown = finding.outcome else {
            Issue.record("\(finding.outcome)")
            return
        }
    }

    /// A program that never ended took all minutes, and ten more: nothing ended its situation.
    @Test("a situation that was cut off tells how far it came, and is no pass")
    func cutOff() {
        func finding(_ verdicts: [Verdict], of expected: Int?) -> AuditFinding {
            var part = makePart(
                "part", verdicts.map { row($0, "hang: 30 s") },
                exitCode: RigModel.ExitStatus.interrupted.rawValue, expected: expected)
            part.wasCutOff = true
            return AuditJudge.finding(situation, part: part, command: "")
        }
        let advice = "then its time was over; give --minutes"
        #expect(finding([.pass], of: 4).outcome == .unknown("1 of 4 kills made, \(advice)"))
        #expect(finding([], of: nil).outcome == .unknown("no kill made, \(advice)"))
        let failed = finding([.fail, .pass], of: 9)
        #expect(failed.outcome == .fails(1, of: 2, reason: "hang: 30 s"))
        #expect(failed.failure?.reason == "2 of 9 kills made, \(advice)")
        // What the rig says of its own failure is not hidden by the end of the time.
        var broken = makePart("part", [row(.pass)], exitCode: 70, expected: 4)
        broken.wasCutOff = true
        #expect(broken.failure?.reason == "exit 70: what it said")
        // It had ended when it was told to.
        var whole = makePart("part", [row(.pass)], expected: 1)
        whole.wasCutOff = true
        let sound = AuditJudge.finding(situation, part: whole, command: "")
        #expect(sound.outcome == .sound(kills: 1) && sound.failure == nil)
    }

    /// All was called a pass when the rig had crashed in the third situation.
    @Test(
        "a failure of the rig is the audit's; an honest error and a missing permission are not",
        arguments: [
            (70, .failure), (65, .data), (69, .success), (77, .success), (98, .success),
            (64, .success),
        ] as [(Int32, RigModel.ExitStatus)])
    func rigFailure(exitCode: Int32, expected: RigModel.ExitStatus) {
        func status(in situation: AuditSituation, _ rows: [IterationRow]) -> RigModel.ExitStatus {
            let part = makePart(situation.name, rows, exitCode: exitCode, expected: 1)
            return AuditReport(
                runID: "run", seed: 1, worker: "w",
                findings: [AuditJudge.finding(situation, part: part, command: "")]
            ).status
        }
        let row = row(.inconclusive)
        #expect(status(in: AuditSituation.all[2], [row]) == expected)
        let essential = expected == .success ? .inconclusive : expected
        #expect(status(in: AuditSituation.all[0], [row]) == essential)
        // What failed before stays found; its status is that of the worse.
        let failed = self.row(.fail, "shifted by 1")
        let worst = expected == .success ? .gateFailed : expected
        #expect(status(in: AuditSituation.all[2], [failed]) == worst)
    }

    @Test("what could not be tried says what it would take")
    func needsRoot() throws {
        let cut = try #require(AuditSituation.all.last)
        let says = "--fault power-cut mounts a file system, and that needs root; run it with sudo"
        let status = RigModel.ExitStatus.permission.rawValue
        let part = makePart(cut.name, exitCode: status, expected: nil, complaint: says)
        let finding = AuditJudge.finding(cut, part: part, command: "rig kill-test")
        #expect(cut.name == "real-power-cut")
        #expect(finding.outcome == .unknown("exit 77: \(says)"))
        #expect(finding.command == "rig kill-test")
    }

    @Test("a program that loses everything each time starts over, and does nothing wrong")
    func startsOver() {
        let over = finding([row(.pass, lost: 1000), row(.pass, lost: 1000)])
        #expect(over.outcome == .sound(kills: 2) && over.startsOver && over.mostLost == 1000)
        #expect(!finding([row(.pass, lost: 1000), row(.pass, lost: 999)]).startsOver)
        // Nothing is known of what was lost.
        #expect(!finding([makeRow(verdict: .pass) { $0.lostBytes = nil }]).startsOver)
        let unknown = makeRow(verdict: .pass) { $0.lostBytes = nil }
        #expect(!finding([row(.pass, lost: 1000), unknown]).startsOver)
    }

    @Test("a program that finishes only after errors does nothing wrong, and its error is told")
    func errors() {
        let rows = [
            row(.pass, "ended with an error 6 times: no ranges"),
            row(.pass, "not judged: loss (no state); ended with an error 6 times: no ranges"),
            row(.pass, "ended with an error once: reset"),
        ]
        #expect(finding(rows).errors == "6 times: no ranges")
        #expect(finding(rows).outcome == .sound(kills: 3))
        #expect(finding([row(.pass)]).errors == nil)
        #expect(finding([row(.fail, "ended with an error once: no")]).errors == nil)
    }

    @Test("a wrong file that is called right comes before errors that are told")
    func worstFirst() {
        let error = "exit: the worker ended with exit code 3 before its kill"
        let wrong = "completion: the completed file is 9 bytes too long"
        let rows = [
            makeRow(verdict: .fail, reason: error, checkers: [.exit]),
            makeRow(iteration: 2, verdict: .fail, reason: error, checkers: [.exit]),
            makeRow(iteration: 3, verdict: .fail, reason: wrong, checkers: [.completion]),
        ]
        let finding = finding(rows)
        #expect(finding.outcome == .fails(3, of: 3, reason: wrong))
        #expect(finding.mistake?.contains("appends to it") == true)
        #expect(finding.replay == "rig replay run/part --iteration 3" && finding.rateBelow == nil)
        // Nothing is known of programs that show this.
        #expect(self.finding([row(.fail, "shifted by 1")]).mistake == nil)
    }

    @Test("a situation that came about in no kill is no pass, and no failure")
    func idle() {
        func idle(_ why: IdleFault) -> IterationRow {
            row(.pass, "origin fault without effect: \(why.words)")
        }
        #expect(
            finding([idle(.noRange), idle(.noRange)]).outcome
                == .doesNotApply("it never asked for a range"))
        #expect(finding([idle(.noIfRange)]).outcome == .doesNotApply("it never sent If-Range"))
        #expect(
            finding([idle(.noRange), idle(.notReached)]).outcome
                == .notReached("the fault took effect in no answer"))
        // Only kills in which it came about count.
        let partly = finding([idle(.notReached), row(.pass), row(.pass)])
        #expect(partly.outcome == .sound(kills: 2))
        #expect(abs((partly.rateBelow ?? 0) - 0.776) < 0.001)
    }

    @Test("a failure in which the fault had no effect is not explained by it")
    func idleFailure() throws {
        let cut = try #require(AuditSituation.all.first { $0.name == "cut" })
        func mistake(_ note: String) -> String? {
            let reason = "completion: the completed file ends after 1.0 MB of 4.0 MB\(note)"
            let row = makeRow(verdict: .fail, reason: reason, checkers: [.completion])
            let part = makePart("cut", [row], exitCode: 99, expected: 1)
            return AuditJudge.finding(cut, part: part, command: "").mistake
        }
        #expect(mistake("")?.contains("Content-Length") == true)
        #expect(
            mistake("; origin fault without effect: the fault took effect in no answer")
                == "It calls a part of its file done.")
    }

    @Test("the exit code is that of the worst situation; without its kills a program is not judged")
    func status() {
        func status(_ outcomes: [AuditFinding.Outcome]) -> RigModel.ExitStatus {
            AuditReport(
                runID: "run", seed: 1, worker: "w",
                findings: zip(AuditSituation.all, outcomes).map { AuditFinding($0, $1) }
            ).status
        }
        let sound = AuditFinding.Outcome.sound(kills: 4)
        #expect(status([sound, sound, .unknown("no"), .notTried("root")]) == .success)
        #expect(status([sound, sound, .notReached("no"), .doesNotApply("no")]) == .success)
        #expect(status([sound, .unknown("no"), sound]) == .inconclusive)
        #expect(status([.notTried("no"), sound]) == .inconclusive)
        #expect(status([.unknown("no"), sound, .fails(1, of: 9, reason: "x")]) == .gateFailed)
    }
}
