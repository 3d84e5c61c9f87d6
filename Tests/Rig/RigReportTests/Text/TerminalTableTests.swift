import RigModel
import RigReport
import Testing

@Suite struct TerminalTableTests {
    @Test func columnsAreAligned() {
        let text = """
            policy    iterations  violations  inconclusive  loss %  allowed %  documented %\
              lost median  lost p95  lost max     bound  refetched  recovery median
            512KB            100           1             1    5.00       9.13           3-5\
                 256.0 KB  488.3 KB  512.0 KB  512.0 KB   572.2 MB          12.3 ms
            disabled           0           0             0       -          -             -\
                        -\
                     -         -         -        0 B                -

            per MB received  lost max   written  writes  syncs  commits  checkpoints  processor time
            512KB            512.0 KB  921.6 KB   58.25      -     1.88         0.00         10.5 ms
            disabled                -         -       -      -        -            -               -

            policy  phase       kills  violations  rate below
            512KB   receiving      60           0      4.87 %
            512KB   committing     39           1     11.59 %
            never hit: evicting, idle
            not in reach of this workload: starting

            gate FAILS    violations == 0: is 1, limit 0, n 99
            gate holds    loss_percent <= 10 [512KB]: is 5.000 %, limit 10.000 %, n 99,\
             95 % interval 4.500 % to unbounded
            gate unknown  disabled:loss_percent >= 97: not known, limit 97.000 %, n 0

            gate failed: violations == 0: is 1, limit 0, n 99
            fail (exit 99)

            """
        #expect(TerminalTable.text(makeSummary(), color: false) == text)
    }

    @Test func onePolicyNeedsNoNameBesideItsStrata() throws {
        var summary = makeSummary()
        summary.policies.removeLast()
        summary.policies[0].strata.append(
            Stratum(phase: nil, kills: 2, violationRateUCB95: 0.776_4))
        let text = TerminalTable.text(summary, color: false)
        let block = """

            phase       kills  violations  rate below
            receiving      60           0      4.87 %
            committing     39           1     11.59 %
            not known       2           0     77.64 %
            never hit: evicting, idle
            not in reach of this workload: starting


            """
        #expect(text.contains(block))
    }

    @Test func policiesThatDifferAreToldApart() {
        var summary = makeSummary()
        summary.policies[1].strata = [
            Stratum(phase: .evicting, kills: 1, violationRateUCB95: 0.95), Stratum(phase: .idle),
        ]
        let text = TerminalTable.text(summary, color: false)
        expect(
            text, has: "512KB: never hit: evicting, idle\ndisabled: never hit: idle\n",
            "disabled  evicting        1           0     95.00 %\n", lacks: "not in reach")
    }

    @Test func aWorkerThatShowsNoPhaseHasNoStrata() {
        var summary = makeSummary()
        summary.policies[0].strata = [
            Stratum(phase: .idle), Stratum(phase: nil, kills: 99, violationRateUCB95: 0.03),
        ]
        for text in [TerminalTable.text(summary, color: false), SummaryMarkdown.text(summary)] {
            expect(text, lacks: "rate below", "never hit")
        }
    }

    @Test func anExhaustiveRunSaysHowManyPointsItHit() {
        var summary = makeSummary()
        #expect(!TerminalTable.text(summary, color: false).contains("kill points"))
        summary.coverage = KillPointCoverage(hit: 864, counted: 866)
        let line = "\n\nkill points hit: 864 of 866 counted\n\n"
        #expect(TerminalTable.text(summary, color: false).contains(line))
        #expect(SummaryMarkdown.text(summary).contains(line))
    }

    @Test func coloursChangeNothingButColours() {
        let plain = TerminalTable.text(makeSummary(), color: false)
        let colored = TerminalTable.text(makeSummary(), color: true)
        #expect(!plain.contains("\u{1B}"))
        expect(
            colored, has: "\u{1B}[31mfail (exit 99)\u{1B}[0m",
            "gate \u{1B}[32mholds\u{1B}[0m    loss_percent")
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
        #expect(
            TerminalTable.text(makeSummary(status: .success), color: true)
                .contains("\u{1B}[32mpass (exit 0)"))
    }
}

@Suite struct SummaryMarkdownTests {
    @Test func theVerdictComesFirst() {
        let text = SummaryMarkdown.text(makeSummary())
        #expect(
            text.hasPrefix(
                "## Kill test: fail (exit 99)\n\n- gate failed: violations == 0: is 1, limit 0, n 99\n"
            ))
        #expect(
            SummaryMarkdown.text(makeSummary(status: .success))
                .hasPrefix("## Kill test: pass (exit 0)\n"))
    }

    /// The kill need not be looked for in the rows, nor the command put together.
    @Test func aFailureComesWithItsKillAndItsCommand() {
        var rows = makeRows(3)
        fail(&rows[1], [(.durability, "512 of 1024 <bytes> are gone"), (.ranges, "torn")])
        let text = SummaryMarkdown.text(makeVerdictRun(rows, status: .gateFailed))
        #expect(
            text.hasPrefix(
                """
                ## Kill test: fail (exit 99)

                - 1 of 3 kills lost bytes that the program had called safe
                - kill 2, while saving: 512 of 1024 &lt;bytes&gt; are gone
                - 1 kill left an index that does not fit the data
                - repeat: <code>rig replay results/latest --iteration 2</code>


                """), "\(text)")
        let run = makeVerdictRun(makeRows(3))
        #expect(SummaryMarkdown.text(run) == SummaryMarkdown.text(run.summary))
    }

    @Test func gatesAndPoliciesAreTables() {
        let lines = SummaryMarkdown.text(makeSummary()).split(separator: "\n").map(String.init)
        expect(
            lines, has: "| verdict | gate | value | limit | n | 95 % interval |",
            "| FAILS | violations == 0 | 1 | 0 | 99 | - |",
            "| holds | loss\\_percent &lt;= 10 \\[512KB\\] | 5.000 % | 10.000 % | 99 |"
                + " 4.500 % to unbounded |",
            "| 512KB | 100 | 1 | 1 | 5.00 | 9.13 | 3-5 | 256.0 KB | 488.3 KB | 512.0 KB |"
                + " 512.0 KB | 572.2 MB | 12.3 ms |")
        #expect(lines.contains { $0.hasPrefix("| policy | iterations | violations |") })
        expect(
            lines, has: "| 512KB | 512.0 KB | 921.6 KB | 58.25 | - | 1.88 | 0.00 | 10.5 ms |",
            "| policy | phase | kills | violations | rate below |",
            "| 512KB | committing | 39 | 1 | 11.59 % |", "- never hit: evicting, idle")
    }
}

@Suite struct ProgressLineTests {
    @Test(arguments: [
        (42, 2.1, "  eta 3 s"), (1, 1.0, "  eta 1 min 39 s"), (50, 100, "  eta 1 min 40 s"),
        (99, 9_900, "  eta 1 min 40 s"), (50, 59.9, "  eta 1 min 0 s"), (50, 58.9, "  eta 59 s"),
        (10, 0, "  eta 0 s"), (100, 2.1, ""),
    ])
    func tellsHowFarWhatIsProvenAndWhatIsLeft(done: Int, elapsed: Double, eta: String) {
        var state = ProgressState(
            done: done, total: 100, policy: "512KB", violations: 0, rateBound: 0.0688,
            inconclusive: 0, elapsedSeconds: elapsed)
        let rest = "violations 0 (rate < 6.9 %)  inconclusive 0\(eta)"
        #expect(ProgressLine.text(state) == "\(done)/100  512KB  \(rest)")
        // A program without thresholds was said to have "512KB  violations 0".
        state.isOnlyPolicy = true
        #expect(ProgressLine.text(state) == "\(done)/100  \(rest)")
    }

    @Test func beforeTheFirstIterationNothingIsKnown() {
        let line = ProgressLine.text(ProgressState(total: 100))
        #expect(line == "0/100  violations 0  inconclusive 0")
    }
}
