import RigModel

/// Formats a small table, aligned for a terminal or as Markdown.
enum TextGrid {
    /// Lines of aligned columns, two blanks apart, with the titles first.
    ///
    /// - Parameters:
    ///   - rows: each with as many cells as there are titles.
    ///   - numbers: the indices of the number columns, which are aligned right, the others left.
    /// - Returns: lines without line ends and without trailing spaces.
    static func lines(_ titles: [String], _ rows: [[String]], numbers: Set<Int>) -> [String] {
        let all = ([titles] + rows).map { $0.map(printable) }
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { cells in
            let line = zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return numbers.contains(column) ? padding + cell.0 : cell.0 + padding
            }.joined(separator: "  ")
            return withoutTrailingBlanks(line)
        }
    }

    static func markdown(_ titles: [String], _ rows: [[String]], numbers: Set<Int>) -> String {
        let rule = titles.indices.map { numbers.contains($0) ? "---:" : "---" }
        let lines =
            [titles.map(SummaryMarkdown.escaped), rule]
            + rows.map { $0.map(SummaryMarkdown.escaped) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// A line without the blanks at its end.
    static func withoutTrailingBlanks(_ line: String) -> String {
        String(
            line.prefix(
                upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex))
    }

    /// External text without characters that control a terminal.
    static func printable(_ text: String) -> String { PrintableText.line(text) }
}
