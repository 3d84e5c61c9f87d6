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
        #expect(lines.contains("| policy | phase | kills | violations | rate below |"))
        #expect(lines.contains("| 512KB | committing | 39 | 1 | 11.59 % |"))
        #expect(lines.contains("- never hit: evicting, idle"))
    }

    @Test(arguments: hostileTexts)
    func textFromOutsideIsShownAndDoesNothing(text: String) {
        var summary = makeSummary(command: text)
        summary.runID = text
        summary.sentences = [text]
        summary.policies[0].policy = text
        let tame = SummaryMarkdown.text(makeSummary())
        let wild = SummaryMarkdown.text(summary)
        #expect(!wild.contains("<script"))
        #expect(!wild.contains("\u{1B}"))
        #expect(!wild.contains("@e"))
        #expect(!wild.contains("[link]("))
        let lines = wild.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == tame.split(separator: "\n", omittingEmptySubsequences: false).count)
        for line in lines where line.hasPrefix("| ") {
            let bars = line.replacing("\\\\", with: "").replacing("\\|", with: "").count {
                $0 == "|"
            }
            #expect([6, 7, 14].contains(bars))
        }
    }
}
