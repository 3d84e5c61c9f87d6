package import RigModel

/// B5: the database is sound and nothing stored is unlike the origin's.
package enum IntegrityChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.integrity

    /// The database's own check, every checksum, every byte, and no byte beyond the video.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let autopsy = evidence.autopsy else { return [] }
        return [
            databaseDetail(autopsy), checksumDetail(autopsy), bytesDetail(autopsy),
            outsideDetail(autopsy, figures),
        ].compactMap { $0 }
    }

    private static func databaseDetail(_ autopsy: Autopsy) -> String? {
        guard autopsy.integrityCheck != "ok" else { return nil }
        return "the database's integrity check says: \(autopsy.integrityCheck.prefix(200))"
    }

    private static func checksumDetail(_ autopsy: Autopsy) -> String? {
        let damaged = autopsy.chunks.filter { !$0.checksumMatches }
        guard !damaged.isEmpty else { return nil }
        return "\(damaged.count) of \(autopsy.chunks.count) chunks do not match their checksum,"
            + " at \(Wording.places(ByteRanges(damaged.map(\.range))))"
    }

    private static func bytesDetail(_ autopsy: Autopsy) -> String? {
        guard autopsy.corruptBytes > 0 else { return nil }
        let wrong = autopsy.chunks.filter { $0.differingBytes > 0 }
        let first = Wording.place(autopsy.firstDifference)
        return "\(autopsy.corruptBytes) stored bytes are unlike the video's, in \(wrong.count) of"
            + " \(autopsy.chunks.count) chunks\(first)"
    }

    private static func outsideDetail(_ autopsy: Autopsy, _ figures: Measurements) -> String? {
        let outside = ByteRanges(autopsy.chunks.map(\.range)).subtracting(figures.video)
        guard !outside.isEmpty else { return nil }
        return "\(Wording.bytes(outside.count)) are stored where the video has none,"
            + " at \(Wording.places(outside))"
    }
}
