package import RigModel

/// `documented.csv`: the documents' own figures beside those that were measured.
package enum DocumentedCSV {
    /// The version of the columns.
    package static let schema = 1

    /// The whole file; an empty field means unknown, or that the documents say nothing.
    package static func text(_ rows: [DocumentedRow]) -> String {
        let header =
            ["schema", "section", "item", "runs", "n"] + DocumentedColumn.allCases.map(\.rawValue)
            + ["documented_loss_percent", "held", "note"]
        return CSVWriter.line(header) + rows.map(line).joined()
    }

    private static func line(_ row: DocumentedRow) -> String {
        CSVWriter.line(
            [
                "\(schema)", row.section.rawValue, row.item, row.runs.joined(separator: "|"),
                "\(row.n)",
            ]
                + DocumentedColumn.allCases.map { column in
                    row.figures[column].map { FixedPoint.text($0, decimals: column.decimals) } ?? ""
                }
                + [row.documentedLossText, row.isHeld.map { "\($0)" } ?? "", row.note])
    }
}
