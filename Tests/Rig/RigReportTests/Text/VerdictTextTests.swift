import RigModel
import RigReport
import Testing

@Suite struct VerdictTextTests {
    @Test func aPass() {
        var rows = makeRows(4) { $0.phase = .receiving } + makeRows(2, from: 5)
        leaveOut(&rows[0], because: "the work was done already: the whole video is recovered")
        let run = makeVerdictRun(rows, gates: standardGates)
        let text = """
            PASS  downloader survived 5 kills (9.4 s)
              data damaged    0 kills          required: 0
              worst loss      370 KB           allowed: 512 KB
              typical loss    370 KB           13 % of the bytes received (17 % allowed)
              left out        1 kill           the download was already complete
              proven          if kills fail, fewer than 3 in 100 do (95 % confidence)
              killed while    receiving 3, saving 2
              not tested      start-up, recovery, connecting, checkpoints, eviction,
                              cancelling, completion, idling, power cuts
                              → rig plan --trigger phase
            Report  results/latest/report.html      Repeat  --seed 2533291769

            """
        #expect(VerdictText.text(run, elapsed: 9.41) == text)
    }

    @Test func bytesThatWereCalledSafe() {
        var rows = makeRows(30)
        for index in 5..<15 {
            fail(&rows[index], [(.durability, "510976 of 4700160 acknowledged bytes are gone")])
        }
        let text = """
            FAIL  10 of 30 kills lost bytes that the program had called safe
              kill 6          while saving: 510976 of 4700160 acknowledged bytes are gone
                              (9 more like it)
            Report  results/latest/report.html
            Repeat  rig replay results/latest --iteration 6

            """
        let gates = [makeGate("violations == 0", .fails, value: 10, limit: 0)]
        let run = makeVerdictRun(rows, gates: gates, status: .gateFailed, folder: "results/latest")
        #expect(VerdictText.text(run) == text)
    }

    /// The first kill that failed was one of two odd ones, and was shown for all.
    @Test func theMostFrequentKindIsShown() {
        var rows = makeRows(9)
        let places = [
            "foreign bytes", "bytes shifted by -1", "bytes shifted by -1", "zeros",
            "bytes shifted by -12",
        ]
        for (index, place) in places.enumerated() {
            fail(
                &rows[index],
                [(.completion, "\(9 + index) bytes unlike, the first at \(70 - index): \(place)")])
        }
        let text = VerdictText.text(makeVerdictRun(rows, status: .gateFailed))
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains(
                "kill 2 while saving: 10 bytes unlike, the first at 69: bytes shifted by -1"
                    + " (2 more like it, 2 others in the report) "), "\(text)")
    }

    /// A run of a hundred kills left a gigabyte of states that were all alike.
    @Test(arguments: [(.first, true), (.all, false), (nil, false)] as [(EvidenceChoice?, Bool)])
    func statesThatAreNotKeptAreSaid(choice: EvidenceChoice?, areSaid: Bool) {
        var rows = makeRows(12)
        for index in 0..<9 { fail(&rows[index], [(.completion, "\(index) bytes are unlike")]) }
        fail(&rows[9], [(.completion, "the completed file is empty")])
        let text = VerdictText.text(makeVerdictRun(rows, status: .gateFailed, evidence: choice))
        let line =
            "  evidence        the states of 4 of 10 kills, 3 of each kind → --evidence all\n"
        #expect(text.contains(line) == areSaid, "\(text)")
        #expect(text.contains("--evidence") == areSaid)
    }

    struct Failure: Sendable {
        let findings: [(checker: Checker, detail: String)]
        let headline: String
        let lines: [String]
    }

    static let failures = [
        Failure(
            findings: [(.bound, "lost 378560 bytes, more than the bound")],
            headline: "FAIL  2 of 3 kills lost more than is allowed",
            lines: ["kill 1          while saving: 378,560 bytes lost, where 16,384 are allowed"]),
        Failure(
            findings: [(.integrity, "9 bytes are unlike the video's")],
            headline: "FAIL  2 of 3 kills left damaged data",
            lines: ["while saving: 9 bytes are unlike the video's"]),
        Failure(
            findings: [
                (.crash, "signal 11 ended the relaunched worker"), (.completion, "it ended"),
            ],
            headline: "FAIL  downloader crashed by itself in 2 of 3 kills",
            lines: [
                "while saving: signal 11 ended the relaunched worker",
                "also            2 kills did not end in a complete and correct file",
            ]),
        Failure(
            findings: [(.hang, "the relaunched worker made no progress")],
            headline: "FAIL  downloader stopped making progress in 2 of 3 kills",
            lines: ["while saving: the relaunched worker made no progress"]),
    ]

    @Test(arguments: failures)
    func theKindOfFailure(failure: Failure) {
        var rows = makeRows(3) { $0.boundBytes = 16_384 }
        for index in 0..<2 { fail(&rows[index], failure.findings) }
        let text = VerdictText.text(makeVerdictRun(rows, status: .gateFailed))
        #expect(text.hasPrefix(failure.headline + "\n"), "\(text)")
        for line in failure.lines { #expect(text.contains(line), "\(text)") }
    }

    @Test func aFailureAmongSeveralPolicies() {
        var rows = makeRows(2, of: "256KB") + makeRows(2, of: "1MB")
        fail(&rows[2], [(.ranges, "torn")])
        let run = makeVerdictRun(rows, policies: ["256KB", "1MB"], status: .gateFailed)
        let text = """
            FAIL  1 of 4 kills left an index that does not fit the data
              kill 1          1MB, while saving: torn
              policy  kills  failed  left out  worst loss  allowed  typical loss  share
              256KB       2       0         0      370 KB   256 KB        370 KB   13 %
              1MB         2       1         0      370 KB     1 MB        370 KB   13 %
            Report  results/latest/report.html
            Repeat  rig replay results/latest --iteration 1 --policy 1MB

            """
        #expect(VerdictText.text(run) == text)
    }

    @Test func severalPoliciesPass() {
        let rows =
            makeRows(2, of: "512KB")
            + makeRows(2, of: "disabled") { ($0.recoveredBytes, $0.lostBytes) = (0, 3_000_000) }
        let text = VerdictText.text(
            makeVerdictRun(rows, policies: ["512KB", "disabled"], gates: standardGates))
        #expect(text.hasPrefix("PASS  downloader survived 4 kills with 2 policies\n"))
        expect(
            text, has: "\n  everything lost 2 of 4 kills     disabled 2\n",
            "  disabled      2         0      2.9 MB        -        2.9 MB  100 %\n",
            "  proven          each policy: fewer than 3 in 100 kills fail"
                + " (95 % confidence)\n")
    }

    /// A median of such kills looks as if something were kept.
    @Test func everythingLostIsSaidInWords() {
        let rows =
            makeRows(12)
            + makeRows(8, from: 13) {
                ($0.recoveredBytes, $0.lostBytes, $0.receivedBytes) = (0, 9_961_472, 9_961_472)
                $0.boundBytes = nil
            }
        let text = VerdictText.text(makeVerdictRun(rows))
        expect(text, has: "\n  everything lost 8 of 20 kills    the latest after 9.5 MB received\n")
    }

    @Test func killsWithinTheFirstBytesAreSaidToBe() {
        let rows = makeRows(3) { $0.receivedBytes = 900 } + makeRows(2, from: 4)
        let text = VerdictText.text(makeVerdictRun(rows))
        expect(text, has: "\n  killed early    3 of 5 kills     within the first 64 KB received\n")
        #expect(!VerdictText.text(makeVerdictRun(makeRows(5))).contains("killed early"))
    }

    /// A pass names how much of the sweep it covers.
    @Test(arguments: [
        (nil, "after 5 kills\n"), (40, "after 5 kills, for all 200 cases of the sweep\n"),
        (90, "after 5 kills, for 200 of 450 cases of the sweep\n"),
    ])
    func theStatesOfADiskAreCounted(cases: Int?, note: String) {
        let rows = makeRows(5) {
            ($0.fault, $0.crashStates, $0.sweepCases) = ("power-cut-torn", 12, cases)
            $0.sweepTried = cases.map { _ in 40 }
        }
        let text = VerdictText.text(makeVerdictRun(rows)).replacing(/\n {10,}/, with: " ")
        #expect(text.contains(/disk states +60 tried +/), "\(text)")
        #expect(text.contains(note), "\(text)")
    }

    @Test func aBlackBoxWithoutPhases() {
        let rows = makeRows(3) {
            ($0.phase, $0.boundBytes) = (nil, nil)
            $0.receivedBytes = 500_000 * Int64($0.iteration)
            $0.notJudged = [.durability, .integrity]
        }
        let text = """
            PASS  curl survived 3 kills
              data damaged    0 kills          required: 0
              worst loss      370 KB           no limit is promised
              typical loss    370 KB           38 % of the bytes received
              not judged      in 3 of 3 kills: what was called safe, the stored data
              proven          if kills fail, fewer than 64 in 100 do (95 % confidence)
              killed after    488 KB to 1.4 MB had arrived; in which phase is not known
              not tested      the end of its work, a file that changes, a server without
                              ranges, power cuts → rig audit
            Report  results/latest/report.html      Repeat  --seed 2533291769

            """
        let run = makeVerdictRun(rows, gates: standardGates, rate: 0.631_6, worker: "curl")
        #expect(VerdictText.text(run) == text)
    }

    /// A program that joins its parts passed kills by bytes, and nothing told of its end.
    @Test(arguments: [("time", "end:0.500000"), ("syscall", "7:before"), ("time", "0.500000")])
    func theEndIsNamedUnlessItWasTried(trigger: String, planned: String) {
        var rows = makeRows(3) { $0.phase = nil }
        (rows[1].trigger, rows[1].planned) = (trigger, planned)
        let text = VerdictText.text(makeVerdictRun(rows, gates: standardGates, worker: "curl"))
        #expect(text.contains("a file that changes"))
        #expect(text.contains("the end of its work") == (planned == "0.500000"), "\(text)")
        rows[1].verdict = .inconclusive
        let without = VerdictText.text(makeVerdictRun(rows, gates: standardGates, worker: "curl"))
        #expect(without.contains("the end of its work"))
    }

    /// One call that `--at` names, the fifth of a hundred, was taken for a kill at the end.
    @Test func aNamedCallIsNotTheEnd() {
        let rows = makeRows(3) {
            ($0.phase, $0.trigger, $0.planned) = (nil, "syscall", "5:after")
        }
        let run = makeVerdictRun(rows, gates: standardGates, worker: "curl")
        let pinned = makeRunManifest(
            worker: "curl", trigger: .syscall,
            pinned: .syscall(CallMoment(ordinal: 5, edge: .after)))
        let named = ReportedRun(
            manifest: pinned, rows: rows, summary: run.summary, folder: run.folder)
        #expect(VerdictText.text(named).contains("the end of its work"))
        #expect(!VerdictText.text(run).contains("the end of its work"))
    }

    @Test func aPowerCut() {
        let text = VerdictText.text(
            makeVerdictRun(makeRows(2), gates: standardGates, fault: .powerCut))
        #expect(text.hasPrefix("PASS  downloader survived 2 power cuts\n"))
        expect(
            text, has: "proven          if power cuts fail, fewer than 3 in 100 do",
            "not tested      start-up,", lacks: "idling, power cuts")
    }

    @Test func aRunWithoutKills() {
        let rows = makeRows(2) { ($0.trigger, $0.planned) = ("time", "never") }
        var run = makeVerdictRun(rows, gates: standardGates, rate: nil)
        var manifest = run.manifest
        manifest = manifest.with(
            plan: KillPlan(
                seed: 1, iterations: 2, policies: manifest.plan.policies, trigger: .time,
                pinned: .never, videoLength: 10 << 20), video: manifest.video)
        run = ReportedRun(manifest: manifest, rows: rows, summary: run.summary, folder: run.folder)
        let text = """
            PASS  downloader finished in 2 iterations without a kill
              data damaged    0 iterations     required: 0
              proven          nothing about kills: none was made
            Report  results/latest/report.html      Repeat  --seed 2533291769

            """
        #expect(VerdictText.text(run) == text)
    }

    /// A size that is rounded to its limit must not look like it.
    @Test func aLossJustBeyondItsLimitIsShownInBytes() {
        let rows = makeRows(1) { $0.lostBytes = 524_289 }
        let text = VerdictText.text(makeVerdictRun(rows))
        #expect(text.contains("worst loss      524,289 bytes    allowed: 524,288 bytes\n"))
    }

    @Test func coloursChangeNothingButColours() {
        let run = makeVerdictRun(makeRows(2))
        let colored = VerdictText.text(run, color: true)
        #expect(colored.hasPrefix("\u{1B}[32mPASS\u{1B}[0m  downloader"))
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == VerdictText.text(run))
    }

    @Test(arguments: hostileTexts)
    func textFromOutsideCannotSteerTheTerminal(text: String) {
        var rows = makeRows(2) { $0.worker = text }
        fail(&rows[0], [(.crash, text)])
        let shown = VerdictText.text(
            makeVerdictRun(rows, status: .gateFailed, caveats: [text], worker: text, folder: text))
        #expect(!shown.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    }
}
