/// The documents' own tables and the runs that measure the same, beside in `documented.csv`.
package struct DocumentedTables: Sendable, Hashable, Decodable {
    /// What is saved after a kill at an amount of received bytes (B3, B4).
    package struct Amount: Sendable, Hashable {
        /// The amount, and how many bytes before it the kills are spread over.
        package let at: Int64
        package let within: Int64
        /// The documented figures; nil where the documents have none for this amount.
        package let saved: Int64?
        package let improvement: Double?
        package let loss: ClosedRange<Double>?
        /// The runs with the saving that is documented, and without any.
        package let after: String
        package let before: String
    }

    package struct Ending: Sendable, Hashable {
        package let way: String
        /// The most that it may lose by the documents, in bytes; nil where they promise nothing.
        package let lost: Int64?
        /// The runs that measure it; empty where none is made.
        package let runs: [String]
        /// What a reader has to know of the runs, or why there is none.
        package let note: String
    }

    /// How much of what was stored is found again after a kill (B7).
    package struct Retrieval: Sendable, Hashable, Decodable {
        /// The least share of it that the documents claim, in percent.
        package let percent: Double
        package let runs: [String]
        package let note: String
    }

    package static let policy = "512KB"
    package static let empty = DocumentedTables()

    package var amounts: [Amount] = []
    package var endings: [Ending] = []
    package var retrieval: Retrieval?

    package var runs: [String] {
        amounts.flatMap { [$0.after, $0.before] } + endings.flatMap(\.runs)
            + (retrieval?.runs ?? [])
    }
}

extension DocumentedTables.Amount: Decodable {
    enum CodingKeys: String, CodingKey {
        case at, within, saved, improvement, loss, after, before
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard let at = try fields.size(.at), let within = try fields.size(.within),
            at > 0, within > 0
        else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: fields.codingPath,
                    debugDescription: "an amount needs at and within, sizes above 0; write them"))
        }
        self.init(
            at: at, within: within, saved: try fields.size(.saved),
            improvement: try fields.number(.improvement),
            loss: try fields.decodeIfPresent(ClosedRange<Double>.self, forKey: .loss),
            after: try fields.decode(String.self, forKey: .after),
            before: try fields.decode(String.self, forKey: .before))
    }
}

extension DocumentedTables.Ending: Decodable {
    enum CodingKeys: String, CodingKey { case way, lost, runs, note }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            way: try fields.decode(String.self, forKey: .way), lost: try fields.size(.lost),
            runs: try fields.decodeIfPresent([String].self, forKey: .runs) ?? [],
            note: try fields.decodeIfPresent(String.self, forKey: .note) ?? "")
        guard !runs.isEmpty || !note.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .way, in: fields,
                debugDescription: "'\(way)' has no runs; name some, or say in a note why not")
        }
    }
}

/// A figure of `documented.csv`; raw values are the names of its columns.
package enum DocumentedColumn: String, Sendable, Hashable, CaseIterable {
    case documentedBefore = "documented_before_bytes"
    case before = "before_bytes"
    case documentedSaved = "documented_saved_bytes"
    case savedMean = "saved_bytes_mean"
    case savedLeast = "saved_bytes_least"
    case documentedImprovement = "documented_improvement_percent"
    case improvementMean = "improvement_percent_mean"
    case improvementLeast = "improvement_percent_least"
    case lossMean = "loss_percent_mean"
    case lossLow = "loss_percent_low"
    case lossHigh = "loss_percent_high"
    case lossWorst = "loss_percent_worst"
    case called
    case calledSafe = "called_safe_bytes"
    case saved = "saved_bytes"
    case documentedLost = "documented_lost_bytes"
    case lost = "lost_bytes"
    case lostMost = "lost_bytes_most"
    case stored, retrieved
    case documentedRetrieved = "documented_retrieved_percent"
    case retrievedPercent = "retrieved_percent"

    package var decimals: Int { rawValue.contains("percent") ? 3 : 0 }
}

package struct DocumentedRow: Sendable, Hashable {
    package enum Section: String, Sendable, Hashable, CaseIterable {
        case amount, ending, retrieval
    }

    package let section: Section
    /// An amount, a way to end, or what is counted.
    package let item: String
    package var runs: [String] = []
    /// How many kills, or ends without one, it is from.
    package var n = 0
    package var figures: [DocumentedColumn: Double] = [:]
    /// The documented loss in percent; nil where the documents name none.
    package var documentedLoss: ClosedRange<Double>?
    /// Whether every documented figure is held at its worst moment; nil where that is not known.
    package var isHeld: Bool?
    package var note = ""

    package init(_ section: Section, _ item: String) { (self.section, self.item) = (section, item) }

    package var documentedLossText: String {
        documentedLoss.map { range in
            [range.lowerBound, range.upperBound].map { FixedPoint.text($0, decimals: 0) }
                .joined(separator: "-")
        } ?? ""
    }
}
