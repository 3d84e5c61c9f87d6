package import RigModel

/// The tables of a run on the terminal; ``VerdictText`` says what they mean.
package enum TerminalTable {
    package static func text(_ summary: RunSummary, color: Bool) -> String {
        let style = TerminalStyle(isOn: color)
        let policies = summary.policies.table(SummaryColumns.overview(hasBytes: summary.hasBytes))
        var lines = table(policies, style)
        if let costs = SummaryColumns.costs(summary.policies) {
            lines += [""] + table(costs, style)
        }
        if let strata = Strata(summary.policies) {
            lines += [""] + table(strata.table, style) + strata.notes.map(PrintableText.line)
        }
        if let coverage = summary.coverage { lines += ["", coverage.line] }
        if let hosts = HostColumns.table(summary.hosts) { lines += [""] + table(hosts, style) }
        if !summary.gates.isEmpty {
            lines.append("")
            lines += summary.gates.map { gate($0, style) }
        }
        let promises = PromiseTable.brief(summary.promises)
        if !promises.isEmpty { lines += [""] + promises.map(PrintableText.line) }
        lines.append("")
        lines += summary.sentences.map(PrintableText.line)
        let ink: TerminalStyle.Ink = summary.status == .success ? .green : .red
        lines.append(style.paint(StatusText.line(summary.status), ink))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ table: Table, _ style: TerminalStyle) -> [String] {
        table.lines.prefix(1).map { style.paint($0, .bold) } + table.lines.dropFirst()
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
        let text = PrintableText.line("\(result.title): \(result.figures)")
        return "gate \(style.paint(word, ink))\(padding)  \(text)"
    }
}

/// ANSI colours, or none.
struct TerminalStyle {
    let isOn: Bool

    enum Ink: String {
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    func paint(_ text: String, _ ink: Ink) -> String {
        isOn ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }
}
