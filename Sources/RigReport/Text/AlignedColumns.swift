/// Columns for a terminal: text to the left, numbers to the right.
enum AlignedColumns {
    /// The titles, then the rows, a line each.
    ///
    /// - Parameters:
    ///   - titles: the first line.
    ///   - rows: as many cells each as there are titles.
    ///   - textColumns: how many columns, from the first, hold text.
    /// - Returns: lines without their ends, and without spaces there.
    static func lines(_ titles: [String], _ rows: [[String]], textColumns: Int) -> [String] {
        let all = ([titles] + rows).map { $0.map(printable) }
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { cells in
            let line = zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < textColumns ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
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
