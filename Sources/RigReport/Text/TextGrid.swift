import RigModel

/// A small table of text, aligned for a terminal or as Markdown.
enum TextGrid {
    /// Lines of aligned columns, two blanks apart, with the titles first.
    ///
    /// - Parameters:
    ///   - titles: the first line.
    ///   - rows: as many cells each as there are titles.
    ///   - numbers: the columns that hold numbers, from 0: to the right, the others to the left.
    /// - Returns: lines without their ends, and without spaces there.
    static func lines(_ titles: [String], _ rows: [[String]], numbers: Set<Int>) -> [String] {
        let all = ([titles] + rows).map { $0.map(printable) }
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { cells in
            var line = zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return numbers.contains(column) ? padding + cell.0 : cell.0 + padding
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The same as a Markdown table.
    static func markdown(_ titles: [String], _ rows: [[String]], numbers: Set<Int>) -> String {
        let rule = titles.indices.map { numbers.contains($0) ? "---:" : "---" }
        let lines =
            [titles.map(SummaryMarkdown.escaped), rule]
            + rows.map { $0.map(SummaryMarkdown.escaped) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// Text from outside without the characters that would steer a terminal.
    static func printable(_ text: String) -> String { PrintableText.line(text) }
}
