import Foundation
import RigModel
import RigReport
import Testing

@Suite struct WorkflowCommandTests {
    private struct Command {
        let level: String
        let title: String
        let message: String

        init?(_ line: String) {
            guard !line.contains("\n"),
                let match = line.wholeMatch(of: /::([a-z]+) title=([^,]*?)::(.*)/)
            else { return nil }
            func decoded(_ text: Substring, _ codes: [(String, String)]) -> String {
                codes.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
            }
            let codes = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]
            level = String(match.1)
            title = decoded(match.2, [("%3A", ":"), ("%2C", ",")] + codes)
            message = decoded(match.3, codes)
        }
    }

    private func commands(
        _ summary: RunSummary = makeSummary(), rows: [IterationRow] = []
    ) throws -> [Command] {
        let lines = WorkflowCommand.annotations(summary, rows: rows, folder: "results/run")
        return try lines.map { try #require(Command($0), "\($0)") }
    }

    private func failures(_ count: Int) -> [IterationRow] {
        makeRows(count) { fail(&$0, [(.bound, "too much")]) }
    }

    @Test func gatesComeFirstThenKillsWithTheirReplay() throws {
        let found = try commands(rows: failures(2) + [makeFullRow(iteration: 9)])
        #expect(
            found.map(\.title) == [
                "Gate failed", "Gate undecided", "Kill failed: kill 1 of iteration 1 of 512KB",
                "Kill failed: kill 1 of iteration 2 of 512KB",
            ])
        #expect(found[0].message == "violations == 0: is 1, limit 0, n 99")
        #expect(
            found[2].message == """
                bound: too much
                replay: rig replay results/run --iteration 1 --policy 512KB
                """)
        #expect(found.allSatisfy { $0.level == "error" })
    }

    @Test(arguments: [(0, 2), (8, 10), (9, 10), (500, 10)])
    func thereAreAtMostTenAndTheLastCountsTheRest(kills: Int, lines: Int) throws {
        let found = try commands(rows: failures(kills))
        #expect(found.count == lines)
        #expect(found.map(\.title).prefix(2) == ["Gate failed", "Gate undecided"])
        if kills > 8 {
            #expect(found.last?.message == "\(2 + kills - 9) more: see results/run/summary.md")
        }
    }

    /// A run that missed a part used to be annotated only with a gate, as if more kills would help.
    @Test func whatNoGateSaysComesFirst() throws {
        let found = try commands(makeSummary(status: .incomplete), rows: failures(1))
        #expect(found.map(\.title).prefix(2) == ["Kill test: incomplete", "Gate failed"])
    }

    /// A run that ends with a code other than 0 is annotated even if every gate holds.
    @Test(arguments: RigModel.ExitStatus.allCases)
    func whatIsNoPassIsAnError(status: RigModel.ExitStatus) throws {
        var summary = makeSummary(status: status)
        summary.gates = []
        let found = try commands(summary)
        #expect(found.isEmpty == (status == .success))
        #expect(found.allSatisfy { $0.level == "error" })
        // A failed kill in a run that still passes is a warning.
        let kills = try commands(summary, rows: failures(1))
        #expect(kills.last?.level == (status == .success ? "warning" : "error"))
    }

    @Test(arguments: HostileTextTests.texts)
    func noTextLeavesItsPlace(text: String) throws {
        var summary = HostileTextTests.summary(text)
        summary.gates = Array(summary.gates.prefix(1))
        let found = try commands(summary, rows: HostileTextTests.rows(text))
        try #require(found.count == 2)
        let shown = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isLineEnd = scalar == "\r" || scalar == "\n"
                    return isLineEnd
                        ? scalar : PrintableText.line("\(scalar)").unicodeScalars.first ?? scalar
                }))
        #expect(Array(found[0].message.utf8) == Array("\(shown): is 1, limit 0, n 99".utf8))
        #expect(found[1].message.hasPrefix("\(shown)\nreplay: rig replay "))
        #expect(found[1].title == "Kill failed: kill 1 of iteration 1 of \(shown)")
    }

    /// The runner trims a line before it looks for `::`, and finds `##[` anywhere in it.
    @Test(arguments: [
        "::error::x", "  ::set-output name=a::b", "\t::add-mask::x", "fine\n::stop-commands::x",
        "a\r\n::error::x", "##[error]x", "text ##[add-mask]x", "::", "####[x]",
    ])
    func whatIsQuotedIsNoCommand(text: String) {
        let quoted = WorkflowCommand.none(in: text)
        for line in quoted.components(separatedBy: .newlines) {
            #expect(!line.trimmingCharacters(in: .whitespaces).hasPrefix("::"))
            #expect(!line.contains("##["))
        }
        let shown = text.replacing("\r\n", with: "\n")
        #expect(quoted.filter { $0 != " " } == shown.filter { $0 != " " })
    }

    @Test func theRestIsLeftAsItIs() {
        let text = TerminalTable.text(makeSummary(), color: true)
        #expect(WorkflowCommand.none(in: text) == text)
    }

    @Test func aPageIsCutAtALineWithANote() {
        let page = SummaryMarkdown.text(makeSummary())
        let size = page.utf8.count
        #expect(StepSummary.cut(page, room: size) == page)
        for room in -5..<size {
            let cut = StepSummary.cut(page, room: room)
            #expect(cut.utf8.count <= max(0, room))
            guard !cut.isEmpty else { continue }
            #expect(cut.hasSuffix("see `summary.md` in the run's folder.\n"))
            let kept = cut.split(separator: "\n", omittingEmptySubsequences: false).dropLast(3)
            let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(Array(kept) == Array(lines.prefix(kept.count)))
        }
        #expect(!StepSummary.cut(page, room: size - 1).isEmpty)
    }
}
