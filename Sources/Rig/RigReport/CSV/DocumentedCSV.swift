package import RigModel

/// `documented.csv`: the documents' own figures beside those that were measured.
package enum DocumentedCSV {
    /// The whole file; an empty field means unknown, or that the documents say nothing.
    package static func text(_ rows: [DocumentedRow]) -> String {
        rows.table(
            [
                .number("schema") { _ in .integer(1) },
                .text("section") { .string($0.section.rawValue) },
                .text("item") { .string($0.item) },
                .text("runs") { .string($0.runs.joined(separator: "|")) },
                .number("n") { .integer($0.n) },
            ]
                + DocumentedColumn.allCases.map { column in
                    .number(column.rawValue) { .decimal($0.figures[column], column.decimals) }
                } + [
                    .text("documented_loss_percent") { .string($0.documentedLossText) },
                    .text("held") { .string($0.isHeld.map { "\($0)" }) },
                    .text("note") { .string($0.note) },
                ]
        ).csv
    }
}
