package import RigModel

/// What a run ends with on the terminal: the policies, the gates, and what follows.
package enum TerminalTable {
    /// The whole text.
    ///
    /// - Parameters:
    ///   - summary: the run.
    ///   - color: true to add ANSI colours.
    /// - Returns: lines, each with its end.
    package static func text(_ summary: RunSummary, color: Bool) -> String {
        let style = Style(isOn: color)
        var lines = table(summary.policies, style)
        if !summary.gates.isEmpty {
            lines.append("")
            lines += summary.gates.map { gate($0, style) }
        }
        lines.append("")
        lines += summary.sentences.map(printable)
        let word = StatusText.word(summary.status)
        let ink: Style.Ink = summary.status == .success ? .green : .red
        lines.append(style.paint("\(word) (exit \(summary.status.rawValue))", ink))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ policies: [PolicySummary], _ style: Style) -> [String] {
        let rows = policies.map { PolicyCells.cells($0).map(printable) }
        let widths = PolicyCells.titles.indices.map { column in
            ([PolicyCells.titles] + rows).map { $0[column].count }.max() ?? 0
        }
        let lines = ([PolicyCells.titles] + rows).map { cells in
            zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }
        return lines.prefix(1).map { style.paint($0, .bold) } + lines.dropFirst()
    }

    private static func gate(_ result: GateResult, _ style: Style) -> String {
        let ink: Style.Ink =
            switch result.verdict {
            case .holds: .green
            case .fails: .red
            case .unknown: .yellow
            }
        let word = StatusText.word(result.verdict)
        let padding = String(repeating: " ", count: max(0, 7 - word.count))
        let text = printable("\(result.title): \(result.figures)")
        return "gate \(style.paint(word, ink))\(padding)  \(text)"
    }

    /// Text from outside without the characters that would steer a terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control ? " " : scalar
                }))
    }
}

/// ANSI colours, or none.
private struct Style {
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
