package import RigModel

/// The tables of a run on the terminal; ``VerdictText`` says what they mean.
package enum TerminalTable {
    package static func text(_ summary: RunSummary, color: Bool) -> String {
        let style = TerminalStyle(isOn: color)
        func table(_ table: Table?) -> [String] {
            let lines = table?.lines ?? []
            return lines.prefix(1).map { style.paint($0, .bold) } + lines.dropFirst()
        }
        let policies = summary.policies.table(SummaryColumns.overview(hasBytes: summary.hasBytes))
        let strata = Strata(summary.policies)
        let notes = (strata?.notes ?? []).map(PrintableText.line)
        let ink: TerminalStyle.Ink = summary.status == .success ? .green : .red
        let end = style.paint(summary.status.withCode, ink)
        let blocks: [[String]] = [
            table(policies), table(SummaryColumns.costs(summary.policies)),
            table(strata?.table) + notes, [summary.coverage?.line].compactMap(\.self),
            table(HostColumns.table(summary.hosts)), summary.gates.map { gate($0, style) },
            PromiseTable.brief(summary.promises).map(PrintableText.line),
            summary.sentences.map(PrintableText.line) + [end],
        ]
        let lines = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
        return lines.joined(separator: "\n\n") + "\n"
    }

    private static func gate(_ result: GateResult, _ style: TerminalStyle) -> String {
        let ink: TerminalStyle.Ink =
            switch result.verdict {
            case .holds: .green
            case .fails: .red
            case .unknown: .yellow
            }
        let word = result.verdict.shown.word
        let padding = String(repeating: " ", count: max(0, 7 - word.count))
        let text = PrintableText.line("\(result.title): \(result.figures)")
        return "gate \(style.paint(word, ink))\(padding)  \(text)"
    }
}

struct TerminalStyle {
    let isOn: Bool

    enum Ink: String {
        case bold = "1", red = "31", green = "32", yellow = "33"
    }

    func paint(_ text: String, _ ink: Ink) -> String {
        isOn ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }
}
