package import RigModel

/// The tables of a run on the terminal: the policies, the phases, the gates and the promises.
///
/// ``VerdictText`` says what they mean.
package enum TerminalTable {
    /// The whole text.
    ///
    /// - Returns: lines, each including its line end.
    package static func text(_ summary: RunSummary, color: Bool) -> String {
        let style = TerminalStyle(isOn: color)
        var lines = table(
            PolicyCells.titles, summary.policies.map(PolicyCells.cells), textColumns: 1, style)
        let costs = CostCells.rows(summary.policies)
        if !costs.isEmpty { lines += [""] + table(CostCells.titles, costs, textColumns: 1, style) }
        lines += strata(summary, style)
        let hosts = HostCells.rows(summary.hosts)
        if !hosts.isEmpty { lines += [""] + table(HostCells.titles, hosts, textColumns: 1, style) }
        if !summary.gates.isEmpty {
            lines.append("")
            lines += summary.gates.map { gate($0, style) }
        }
        let promises = PromiseTable.brief(summary.promises)
        if !promises.isEmpty { lines += [""] + promises.map(TextGrid.printable) }
        lines.append("")
        lines += summary.sentences.map(TextGrid.printable)
        let word = StatusText.word(summary.status)
        let ink: TerminalStyle.Ink = summary.status == .success ? .green : .red
        lines.append(style.paint("\(word) (exit \(summary.status.rawValue))", ink))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func strata(_ summary: RunSummary, _ style: TerminalStyle) -> [String] {
        var lines: [String] = []
        if let strata = StrataCells(summary.policies) {
            lines += [""]
            lines += table(strata.titles, strata.rows, textColumns: strata.textColumns, style)
            lines += strata.notes.map(TextGrid.printable)
        }
        if let coverage = summary.coverage { lines += ["", CoverageText.line(coverage)] }
        return lines
    }

    private static func table(
        _ titles: [String], _ rows: [[String]], textColumns: Int, _ style: TerminalStyle
    ) -> [String] {
        let lines = TextGrid.lines(
            titles, rows, numbers: Set(titles.indices.dropFirst(textColumns)))
        return lines.prefix(1).map { style.paint($0, .bold) } + lines.dropFirst()
    }

    private static func gate(_ result: GateResult, _ style: TerminalStyle) -> String {
        let ink: TerminalStyle.Ink =
            switch result.verdict {
            case .holds: .green
            case .fails: .red
            case .unknown: .yellow
            }
        let word = StatusText.word(result.verdict)
        let padding = String(repeating: " ", count: max(0, 7 - word.count))
        let text = TextGrid.printable("\(result.title): \(result.figures)")
        return "gate \(style.paint(word, ink))\(padding)  \(text)"
    }
}
