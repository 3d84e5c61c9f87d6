import RigModel
import RigReport
import Testing

@Suite struct UndecidedTextTests {
    @Test func tooManyKillsLeftOut() {
        var rows = makeRows(20)
        for index in 0..<12 {
            leaveOut(
                &rows[index],
                because: index < 9
                    ? "the work was done already: the whole video was acknowledged"
                    : "nothing had been received yet")
        }
        let gates = [
            makeGate("violations == 0", .holds, value: 0, limit: 0),
            makeGate(
                "inconclusive_percent <= 10", .unknown, value: 60, limit: 10, unit: .percent,
                policy: "512KB"),
        ]
        let text = VerdictText.text(makeVerdictRun(rows, gates: gates, status: .inconclusive))
        #expect(text.hasPrefix("UNDECIDED  12 of 20 kills were left out\n"), "\(text)")
        expect(
            text, has: "  gate undecided  inconclusive_percent <= 10: is 60 %, limit 10 %\n",
            "  left out        12 kills         the download was already", lacks: "inconclusive\n",
            "gate holds")
    }

    @Test func whatWasNotJudged() {
        let rows = makeRows(3) {
            ($0.lostBytes, $0.notJudged) = (nil, [.bound])
            $0.reason = "not judged: bound (recovered is not known: the origin changed)"
        }
        let gates = [
            makeGate("violations == 0", .unknown, value: 0, limit: 0, n: 0, unknownRows: 3)
        ]
        let text = VerdictText.text(
            makeVerdictRun(rows, gates: gates, status: .inconclusive, rate: nil))
        #expect(text.hasPrefix("UNDECIDED  3 of 3 kills could not be judged in full\n"), "\(text)")
        expect(
            text,
            has: """
                  not judged      in 3 of 3 kills: how much may be lost

                """,
            """
              worst loss      not known        allowed: 512 KB; recovered is not known: the
                                               origin changed

            """, "proven          nothing, because too little could be judged\n",
            "violations == 0: is 0, limit 0, not known of 3 more\n")
    }

    /// The costly kills of a chain are those of which the loss is not known.
    @Test func aLossThatIsNotKnownMayBeTheWorst() {
        var rows = makeRows(3)
        (rows[0].recoveredBytes, rows[0].lostBytes, rows[0].boundOK) = (nil, nil, nil)
        (rows[0].lossPercent, rows[0].reason) = (nil, "not judged: loss (recovered is not known)")
        let text = VerdictText.text(makeVerdictRun(rows))
        expect(
            text, has: "worst loss      at least 370 KB  allowed: 512 KB; not known of 1 kill;\n",
            lacks: "not judged")
    }

    @Test func tooFewKillsForAGate() {
        let gate = makeGate(
            "loss_percent <= 12.6", .unknown, value: 12.619, limit: 12.6, unit: .percent,
            policy: "512KB", interval: ConfidenceInterval(low: 10, high: 14))
        let text = VerdictText.text(
            makeVerdictRun(makeRows(20), gates: [gate], status: .inconclusive))
        #expect(text.hasPrefix("UNDECIDED  20 kills are too few to decide loss_percent <= 12.6\n"))
        // Both would be 13 %.
        expect(
            text, has: "loss_percent <= 12.6: is 12.619 %, limit 12.600 %, at least\n",
            " 10 % and at most 14 % with 95 % confidence")
    }

    /// An obstacle that is no gate, such as kills that landed elsewhere than planned.
    @Test func anObstacleThatIsNoGate() {
        let text = VerdictText.text(
            makeVerdictRun(
                makeRows(2), gates: standardGates, status: .inconclusive,
                caveats: ["2 of 866 kill points were not hit", "the baseline is another machine's"]
            ) { $0.coverage = KillPointCoverage(hit: 864, counted: 866) })
        #expect(text.hasPrefix("UNDECIDED  2 of 866 kill points were not hit\n"))
        expect(
            text, has: "\n  kill points     864 of 866 tried\n",
            "\n  note            the baseline is another machine's\n")
    }

    @Test func noRowAtAll() {
        let text = VerdictText.text(
            makeVerdictRun(
                [], gates: [makeGate("violations == 0", .unknown, value: nil, limit: 0)],
                status: .inconclusive))
        #expect(text.hasPrefix("UNDECIDED  there are no kills to judge\n"))
        expect(text, has: "gate undecided  violations == 0: is not known, limit 0\n", lacks: "-  ")
    }

    @Test func aRunThatWasCutShort() {
        let run = makeVerdictRun(
            makeRows(5), status: .interrupted,
            caveats: ["interrupted: 5 of 20 rows are there"], expectedRows: 20, folder: "my run")
        let text = VerdictText.text(run)
        #expect(text.hasPrefix("INTERRUPTED  after 5 of 20 kills\n"))
        #expect(text.hasSuffix("\nFinish  rig resume 'my run'\n"), "\(text)")
        let missing = VerdictText.text(
            makeVerdictRun(
                makeRows(5), status: .incomplete, caveats: ["15 of 20 rows are missing: why"]))
        #expect(missing.hasPrefix("INCOMPLETE  15 of 20 rows are missing: why\n"))
    }

    @Test func gatesOfTheUser() {
        let gates =
            standardGates + [
                makeGate(
                    "lost_bytes.max <= 1MB", .holds, value: 378_560, limit: 1_048_576, unit: .bytes,
                    policy: "512KB"),
                makeGate(
                    "loss_percent <= 0.1", .fails, value: 12.619, limit: 0.1, unit: .percent,
                    policy: "512KB"),
            ]
        let text = VerdictText.text(makeVerdictRun(makeRows(20), gates: gates, status: .gateFailed))
        #expect(
            text.hasPrefix(
                "FAIL  downloader survived 20 kills, but loss_percent <= 0.1 does not hold\n"))
        expect(
            text,
            has: """
                  gate holds      lost_bytes.max <= 1MB: is 370 KB, limit 1 MB
                  gate fails      loss_percent <= 0.1: is 13 %, limit 0.1 %

                """, lacks: "violations == 0")
    }

    /// A gate of the user's may allow failures.
    @Test func aPassWithFailures() {
        var rows = makeRows(20)
        fail(&rows[2], [(.ranges, "torn")])
        let text = VerdictText.text(
            makeVerdictRun(
                rows, gates: [makeGate("violations <= 1", .holds, value: 1, limit: 1)],
                rate: 0.216))
        #expect(text.hasPrefix("PASS  downloader survived 19 of 20 kills\n"))
        expect(
            text, has: "\n  kill 3          while saving: torn\n",
            "proven          fewer than 22 in 100 kills fail (95 % confidence)",
            "Repeat  rig replay results/latest --iteration 3\n")
    }

    @Test(arguments: [
        (0.029_5, "fewer than 3 in 100"), (0.009_97, "fewer than 1 in 100"),
        (0.003_3, "fewer than 4 in 1000"), (0.95, "fewer than 95 in 100"),
        (0.03, "fewer than 3 in 100"), (0.000_99, "fewer than 1 in 1000"),
    ])
    func ratesInWords(rate: Double, words: String) {
        let text = VerdictText.text(makeVerdictRun(makeRows(2), rate: rate))
        #expect(text.contains("if kills fail, \(words) do (95 % confidence)\n"), "\(text)")
    }
}
