import RigModel

/// B5: the database must be sound, and every stored byte must equal the origin's.
enum IntegrityChecker: EvidenceChecker {
    static let checker = Checker.integrity
    static let needs: Set<EvidenceSource> = [.state]
    static let counts: Set<KillCircumstance> = [.any]

    /// Checks the database's integrity, all checksums, all bytes, and bytes stored beyond the
    /// video.
    ///
    /// After a power cut that commits need not survive (T11), a chunk with a wrong checksum is a
    /// loss and not a fault: it is never served (C5), and the completion and resumption checkers
    /// judge whether it is fetched again. Wrong bytes with a matching checksum are always a fault.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let autopsy = evidence.autopsy else { return [] }
        let mayBeTorn = !evidence.plan.policy.survives(evidence.fault)
        return [
            databaseDetail(autopsy), mayBeTorn ? nil : checksumDetail(autopsy),
            bytesDetail(autopsy, mayBeTorn: mayBeTorn),
            outsideDetail(autopsy, figures),
        ].compactMap { $0 }
    }

    /// Needs the state after the kill.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        evidence.autopsy == nil
    }

    private static func databaseDetail(_ autopsy: Autopsy) -> String? {
        guard autopsy.integrityCheck != "ok" else { return nil }
        return "the database's integrity check says: \(autopsy.integrityCheck.prefix(200))"
    }

    private static func checksumDetail(_ autopsy: Autopsy) -> String? {
        let damaged = autopsy.chunks.filter(\.failsOwnChecksum)
        guard !damaged.isEmpty else { return nil }
        return "\(damaged.count) of \(autopsy.chunks.count) chunks do not match their checksum,"
            + " at \(Wording.places(ByteRanges(damaged.map(\.range))))"
    }

    private static func bytesDetail(_ autopsy: Autopsy, mayBeTorn: Bool) -> String? {
        let wrong = autopsy.chunks.filter {
            $0.differingBytes > 0 && !($0.failsOwnChecksum && mayBeTorn)
        }
        guard !wrong.isEmpty else { return nil }
        let bytes = wrong.reduce(0) { $0 + $1.differingBytes }
        let first = Wording.place(autopsy.firstDifference)
        return "\(bytes) stored bytes are unlike the video's, in \(wrong.count) of"
            + " \(autopsy.chunks.count) chunks\(first)"
    }

    private static func outsideDetail(_ autopsy: Autopsy, _ figures: Measurements) -> String? {
        let outside = ByteRanges(autopsy.chunks.map(\.range)).subtracting(figures.video)
        guard !outside.isEmpty else { return nil }
        return "\(Wording.bytes(outside.count)) are stored where the video has none,"
            + " at \(Wording.places(outside))"
    }
}
