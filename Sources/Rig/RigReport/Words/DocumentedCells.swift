import RigModel

/// The documents' own tables for people: one table for each section.
struct DocumentedCells {
    /// What a table is about.
    let caption: String
    /// The titles of its columns; the first has words, the last sentences, the others numbers.
    let titles: [String]
    /// Its lines, one cell for each title.
    let rows: [[String]]

    /// The tables that have lines.
    static func tables(_ rows: [DocumentedRow]) -> [DocumentedCells] {
        DocumentedRow.Section.allCases.compactMap { section in
            let own = rows.filter { $0.section == section }
            return own.isEmpty ? nil : table(section, own)
        }
    }

    private static func table(
        _ section: DocumentedRow.Section, _ rows: [DocumentedRow]
    ) -> DocumentedCells {
        switch section {
        case .amount:
            DocumentedCells(
                caption:
                    "Saved after a kill with 512 KB: documented, and measured over the last bytes before"
                    + " each amount, on average and at worst",
                titles: [
                    "received", "kills", "saved before", "documented", "saved after",
                    "saved at worst", "documented better by", "better by", "at worst",
                    "documented loss", "loss", "loss at worst", "held at worst", "note",
                ], rows: rows.map(amount))
        case .ending:
            DocumentedCells(
                caption:
                    "Ways to end: in how many the end of the request came before that of the process,"
                    + " and the bytes that were called safe, saved and lost",
                titles: [
                    "way", "ends", "end of the request", "called safe", "saved", "lost",
                    "lost at most", "documented", "held", "note",
                ], rows: rows.map(ending))
        case .retrieval:
            DocumentedCells(
                caption: "Stored before a kill, and retrieved by the relaunched worker",
                titles: [
                    "of", "kills", "stored", "retrieved", "share", "documented", "held", "note",
                ], rows: rows.map(retrieval))
        }
    }

    private static func amount(_ row: DocumentedRow) -> [String] {
        let documentedLoss = row.documentedLossText
        return [
            row.item, "\(row.n)", bytes(row, .before), bytes(row, .documentedSaved),
            bytes(row, .savedMean), bytes(row, .savedLeast), percent(row, .documentedImprovement),
            percent(row, .improvementMean), percent(row, .improvementLeast),
            documentedLoss.isEmpty ? "-" : "\(documentedLoss) %", percent(row, .lossMean, .up),
            percent(row, .lossWorst, .up), held(row), row.note,
        ]
    }

    private static func ending(_ row: DocumentedRow) -> [String] {
        [
            row.item, "\(row.n)", number(row, .called), bytes(row, .calledSafe),
            bytes(row, .saved), bytes(row, .lost), bytes(row, .lostMost),
            bytes(row, .documentedLost), held(row), row.note,
        ]
    }

    private static func retrieval(_ row: DocumentedRow) -> [String] {
        [
            row.item, "\(row.n)", number(row, .stored), number(row, .retrieved),
            percent(row, .retrievedPercent), percent(row, .documentedRetrieved), held(row),
            row.note,
        ]
    }

    private static func held(_ row: DocumentedRow) -> String {
        row.isHeld.map { $0 ? "yes" : "no" } ?? "-"
    }

    private static func bytes(_ row: DocumentedRow, _ column: DocumentedColumn) -> String {
        row.figures[column].map(MetricUnit.readableBytes) ?? "-"
    }

    private static func number(_ row: DocumentedRow, _ column: DocumentedColumn) -> String {
        row.figures[column].map { FixedPoint.text($0, decimals: 0) } ?? "-"
    }

    /// Rounded down, a loss up: what is not complete is not 100 %, and 5.04 % are more than 5.
    private static func percent(
        _ row: DocumentedRow, _ column: DocumentedColumn,
        _ rule: FloatingPointRoundingRule = .down
    ) -> String {
        row.figures[column].map {
            "\(FixedPoint.text(($0 * 10).rounded(rule) / 10, decimals: 1)) %"
        } ?? "-"
    }
}
