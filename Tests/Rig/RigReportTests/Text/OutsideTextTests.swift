import Foundation
import RigModel
import RigReport
import Testing

@Suite struct OutsideTextTests {
    private static let profile = WorkerProfile(name: "curl", command: ["curl"])

    private static let blind: Set<Checker> = [
        .durability, .integrity, .agreement, .ranges, .resumption,
    ]

    /// Each run of such a program said "in 100 of 100 kills: what was called safe, the stored data,
    /// the program's own count, …", as if kills had gone wrong.
    @Test func whatIsNeverSeenIsSaidOnce() {
        var rows = makeRows(3) { ($0.phase, $0.notJudged) = (nil, Self.blind) }
        rows[0].notJudged.insert(.ledger)
        let text = VerdictText.text(makeVerdictRun(rows, worker: "curl", profile: Self.profile))
        expect(
            text,
            has: """
                  not judged      what it kept and called safe: seen from outside only
                                  → docs/workers.md#what-the-rig-can-see; in 1 of 3 kills: what
                                  the origin sent

                """)
        // Of one whose state is read these are the exception.
        let inspected = VerdictText.text(makeVerdictRun(rows))
        #expect(inspected.contains("in 3 of 3 kills: what was called safe,"), "\(inspected)")
        // What was judged of one kill can be judged.
        rows[1].notJudged.remove(.resumption)
        let once = VerdictText.text(makeVerdictRun(rows, worker: "curl", profile: Self.profile))
        let words = once.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("in 2 of 3 kills: what was fetched again"), "\(once)")
    }

    /// A program that deletes everything when it starts "survived" every kill.
    @Test(arguments: [(0, true), (1, false)] as [(Int64, Bool)])
    func aProgramThatKeepsNothing(kept: Int64, startsOver: Bool) {
        let rows = makeRows(3) {
            $0.boundBytes = nil
            $0.recoveredBytes = $0.iteration == 2 ? kept : 0
            $0.lostBytes = ($0.receivedBytes ?? 0) - ($0.recoveredBytes ?? 0)
        }
        let text = VerdictText.text(makeVerdictRun(rows, worker: "dl", profile: Self.profile))
        let verdict =
            startsOver
            ? "PASS  dl: no damage in 3 kills; starts over after every kill\n"
            : "PASS  dl survived 3 kills\n"
        #expect(text.hasPrefix(verdict), "\(text)")
    }

    /// What a promised limit allows is kept: nothing had to be saved yet.
    @Test func aLossWithinALimitIsNoStartingOver() {
        let rows = makeRows(3) {
            $0.recoveredBytes = 0
            $0.lostBytes = $0.receivedBytes
        }
        #expect(VerdictText.text(makeVerdictRun(rows)).hasPrefix("PASS  downloader survived 3"))
    }

    /// Ten kills by chance passed a program of sixteen calls, and nothing said that 32 kills try all
    /// of it.
    @Test(
        arguments: [(nil, false), (0, false), (16, true), (50, true), (51, false)]
            as [(Int?, Bool)])
    func fewCallsAreTriedOneByOne(calls: Int?, isTold: Bool) {
        let text = VerdictText.text(
            makeVerdictRun(makeRows(3), profile: Self.profile, calls: calls))
        #expect(text.contains("few calls") == isTold)
        if calls == 16 {
            expect(
                text,
                has: """
                      few calls       it changes files by 16 calls
                                      → --trigger syscall --exhaustive: 32 kills

                    """)
        }
    }

    /// A gate on losses was said to hold beside files with holes.
    @Test func aGateThatHoldsIsNotPraisedBesideDamage() {
        var rows = makeRows(3)
        fail(&rows[0], [(.completion, "5 bytes of the completed file are unlike the video's")])
        let gates = [
            makeGate("violations == 0", .fails, value: 1, limit: 0),
            makeGate("lost_bytes.max <= 72KB", .holds, value: 10, limit: 73_728, unit: .bytes),
            makeGate("loss_percent <= 1", .fails, value: 9, limit: 1, unit: .percent),
        ]
        let text = VerdictText.text(makeVerdictRun(rows, gates: gates, status: .gateFailed))
        expect(text, has: "  gate fails      loss_percent <= 1: is 9 %, limit 1 %\n", lacks: "72KB")
        let sound = VerdictText.text(makeVerdictRun(makeRows(3), gates: gates))
        #expect(sound.contains("  gate holds      lost_bytes.max <= 72KB: is 10 B, limit 72 KB\n"))
    }
}

@Suite struct CheckedTextTests {
    private static let command = "check-notes.py {dir} {said}"

    private func conclusion(
        _ rows: [IterationRow] = CheckedTextTests.rows(4), fault: Fault = .sigkill,
        command: String = CheckedTextTests.command,
        _ change: (inout ProgramCheck) -> Void = { _ in }
    ) -> String {
        var check = ProgramCheck(command)
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
        expect(some, has: "  before a line   3 of 4 kills     nothing had been promised yet\n")
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

    /// A check without `{said}` passed what a kill had cost of what was said, and nothing told it.
    @Test(arguments: [
        ("said", "ls {dir} {said}", false), ("said", "ls {dir}", true), ("time", "ls {dir}", false),
    ])
    func linesThatTheCheckIsNotToldAreNamed(trigger: String, command: String, isTold: Bool) {
        var rows = Self.rows(4)
        rows[1].trigger = trigger
        let text = conclusion(rows, command: command)
        let line = "  not judged      whether what it had said is kept → {said} in --check\n"
        #expect(text.contains(line) == isTold, "\(text)")
    }

    /// The output named the reason only, and the page about it a longer video.
    @Test func aProgramThatIsTooQuickIsToBeKilledAtItsCalls() {
        let rows = Self.rows(4).map { row in
            var row = row
            row.verdict = .inconclusive
            row.reason = "the worker ended by itself with exit code 0 before the kill"
            return row
        }
        let text = conclusion(rows)
        expect(text, has: "  not tested      kills at calls → --trigger syscall\n", lacks: "power")
    }

    /// Kills at calls go with signal 9 only; after a real power cut there is still the model.
    @Test func onlyWhatThereIsIsSuggested() {
        let aborted = conclusion(fault: .abort)
        #expect(!aborted.contains("--trigger syscall"), "\(aborted)")
        let cut = conclusion(fault: .powerCut)
        expect(cut, has: "not tested      modelled power cuts → --fault power-cut-torn\n")
        let modelled = conclusion(fault: .powerCutTorn)
        expect(modelled, has: "power cuts at calls → --trigger syscall", lacks: "--fault")
    }
}

/// Each failing call that did harm can be had again, in a run that lets no other one fail.
@Suite struct FailingCallTextTests {
    /// A run in which so many calls of a hundred did harm, one after another from the third on.
    private static func run(_ harmful: Int, kills: Int = 1) -> ReportedRun {
        var refinement = KillPlan.Refinement()
        (refinement.isExhaustive, refinement.hasOneSide, refinement.kills) = (true, true, kills)
        let plan = KillPlan(
            seed: 3, iterations: 1, policies: [Policy("512KB")].compactMap(\.self),
            trigger: .syscall, videoLength: 2 << 20, refinement: refinement
        ).counting(["512KB": ["write": 100]])
        var rows = makeRows(100)
        for index in 2..<2 + harmful {
            fail(&rows[index], [(.falseSuccess, "call \(index + 1) failed, and exit code 0")])
        }
        let shown = makeVerdictRun(rows, status: .gateFailed, fault: .callError, worker: "get")
        var manifest = makeRunManifest(
            worker: "get", fault: .callError,
            profile: WorkerProfile(name: "get", command: ["get", "{url}", "a b"]), plan: plan)
        manifest.callFailure = CallFailure(.eio, pattern: "*.part")
        return ReportedRun(
            manifest: manifest, rows: rows, summary: shown.summary, folder: "results/latest")
    }

    private static func command(at call: Int) -> String {
        "rig kill-test --iterations 1 --thresholds 512KB --trigger syscall --at \(call)"
            + " --fault call-error --error eio --on '*.part' --seed "
    }

    @Test(arguments: [(1, nil), (4, "Others  --at 4, 5, 6")] as [(Int, String?)])
    func theTerminalNamesEach(harmful: Int, others: String?) throws {
        let lines = VerdictText.text(Self.run(harmful)).split(separator: "\n").map(String.init)
        let line = try #require(lines.first { $0.hasPrefix("One call  ") })
        #expect(line.hasPrefix("One call  " + Self.command(at: 3)), "\(line)")
        #expect(line.hasSuffix(" -- get '{url}' 'a b'"), "\(line)")
        #expect(lines.first { $0.hasPrefix("Others") } == others)
        #expect(lines.contains("Repeat  rig replay results/latest --iteration 3"))
    }

    @Test func manyAreCounted() {
        let text = VerdictText.text(Self.run(40))
        expect(text, has: "--at 4, 5, ", ", 23 and 19 more in the report\n")
    }

    @Test func thePageAndTheReportsHaveIt() throws {
        let run = Self.run(2)
        let page = ReportPage.text(run)
        for call in 3...4 {
            let command = Self.command(at: call).replacing("'", with: "&#39;")
            #expect(page.contains("<code>\(command)"), "\(command)")
        }
        let details = try JUnitReading(JUnitXML.text(run)).cases.map(\.details).joined()
        #expect(details.contains("one call: " + Self.command(at: 3)))
        #expect(details.contains("others: --at 4"))
        #expect(SummaryMarkdown.text(run).contains("- one call: <code>rig kill-test"))
    }

    /// Of a chain, what follows the failing call belongs to the command.
    @Test func aChainIsHadAgainAsAWhole() {
        let text = VerdictText.text(Self.run(1, kills: 3))
        expect(text, has: "--at 3 --kills 3 --fault call-error", " of 100 kills\n")
    }

    @Test func aKillHasNoSuchCommand() {
        var rows = makeRows(3)
        fail(&rows[1], [(.bound, "lost too much")])
        let run = makeVerdictRun(rows, status: .gateFailed)
        #expect(!VerdictText.text(run).contains("One call"))
        #expect(!SummaryMarkdown.text(run).contains("one call"))
    }
}
