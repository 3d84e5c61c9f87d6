extension Table {
    /// Lines of aligned columns, two blanks apart, with the titles first; without trailing blanks.
    var lines: [String] {
        let all = texts.map { $0.map(PrintableText.line) }
        let widths = heads.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { cells in
            let line = heads.indices.map { column in
                let cell = cells[column]
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return heads[column].kind == .number ? padding + cell : cell + padding
            }.joined(separator: "  ")
            return PrintableText.withoutTrailingBlanks(line)
        }
    }

    var text: String { lines.map { "\($0)\n" }.joined() }

    var markdown: String {
        let rule = heads.map { $0.kind == .number ? "---:" : "---" }
        let lines = texts.map { $0.map(SummaryMarkdown.escaped) }
        return (lines.prefix(1) + [rule] + lines.dropFirst())
            .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private var texts: [[String]] { [heads.map(\.title)] + rows.map { $0.map(\.value.plain) } }
}
