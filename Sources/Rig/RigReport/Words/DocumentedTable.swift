import RigModel

/// The documents' own tables for people: one table for each section.
enum DocumentedTable {
    private typealias Column = Table.Column<DocumentedRow>

    static func all(_ rows: [DocumentedRow]) -> [Table] {
        DocumentedRow.Section.allCases.compactMap { section in
            let own = rows.filter { $0.section == section }
            return own.isEmpty ? nil : table(section, own)
        }
    }

    private static func table(_ section: DocumentedRow.Section, _ rows: [DocumentedRow]) -> Table {
        switch section {
        case .amount:
            return rows.table(start("received", "kills") + amount + end("held at worst")).captioned(
                "Saved after a kill with 512 KB: documented, and measured over the last bytes before"
                    + " each amount, on average and at worst", absent: "-")
        case .ending:
            return rows.table(
                start("way", "ends") + [
                    number("end of the request", .called), bytes("called safe", .calledSafe),
                    bytes("saved", .saved), bytes("lost", .lost), bytes("lost at most", .lostMost),
                    bytes("documented", .documentedLost),
                ] + end("held")
            ).captioned(
                "Ways to end: in how many the end of the request came before that of the process,"
                    + " and the bytes that were called safe, saved and lost",
                absent: "-")
        case .retrieval:
            return rows.table(
                start("of", "kills") + [
                    number("stored", .stored), number("retrieved", .retrieved),
                    percent("share", .retrievedPercent),
                    percent("documented", .documentedRetrieved),
                ] + end("held")
            ).captioned("Stored before a kill, and retrieved by the relaunched worker", absent: "-")
        }
    }

    private static func start(_ item: String, _ number: String) -> [Column] {
        [.text(item) { $0.item }, .number(number) { "\($0.n)" }]
    }

    private static func end(_ held: String) -> [Column] {
        [
            .number(held) { $0.isHeld.map { $0 ? "yes" : "no" } },
            .prose("note") { $0.note },
        ]
    }

    private static var amount: [Column] {
        [
            bytes("saved before", .before), bytes("documented", .documentedSaved),
            bytes("saved after", .savedMean), bytes("saved at worst", .savedLeast),
            percent("documented better by", .documentedImprovement),
            percent("better by", .improvementMean), percent("at worst", .improvementLeast),
            .number("documented loss") { row in
                row.documentedLoss.map { _ in "\(row.documentedLossText) %" }
            },
            percent("loss", .lossMean, .up), percent("loss at worst", .lossWorst, .up),
        ]
    }

    private static func bytes(_ title: String, _ column: DocumentedColumn) -> Column {
        .bytes(title, 0) { $0.figures[column] }
    }

    private static func number(_ title: String, _ column: DocumentedColumn) -> Column {
        .number(title) { $0.figures[column].map { FixedPoint.text($0, decimals: 0) } }
    }

    /// Rounded down, a loss up: what is not complete is not 100 %, and 5.04 % are more than 5.
    private static func percent(
        _ title: String, _ column: DocumentedColumn, _ rule: FloatingPointRoundingRule = .down
    ) -> Column {
        .number(title) {
            $0.figures[column].map { Figure.percent(($0 * 10).rounded(rule) / 10, decimals: 1) }
        }
    }
}
