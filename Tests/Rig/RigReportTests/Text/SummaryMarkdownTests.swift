import RigModel
import RigReport
import Testing

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
        #expect(lines.contains("| verdict | gate | value | limit | n | 95 % interval |"))
        #expect(lines.contains("| FAILS | violations == 0 | 1 | 0 | 99 | - |"))
        #expect(
            lines.contains(
                "| holds | loss\\_percent &lt;= 10 \\[512KB\\] | 5.000 % | 10.000 % | 99 |"
                    + " 4.500 % to unbounded |"))
        #expect(
            lines.contains(
                "| 512KB | 100 | 1 | 1 | 5.00 | 9.13 | 3-5 | 256.0 KB | 488.3 KB | 512.0 KB |"
                    + " 512.0 KB | 572.2 MB | 12.3 ms |"))
        #expect(lines.contains { $0.hasPrefix("| policy | iterations | violations |") })
        #expect(
            lines.contains("| 512KB | 512.0 KB | 921.6 KB | 58.25 | - | 1.88 | 0.00 | 10.5 ms |"))
        #expect(lines.contains("| policy | phase | kills | violations | rate below |"))
        #expect(lines.contains("| 512KB | committing | 39 | 1 | 11.59 % |"))
        #expect(lines.contains("- never hit: evicting, idle"))
    }
}
