import RigModel

/// B7: the ranges that the worker claims to hold must be the union of its chunks.
enum RangesChecker: EvidenceChecker {
    static let checker = Checker.ranges
    static let needs: Set<EvidenceSource> = [.state]

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.savesByRange
    }

    /// Compares the claimed ranges with all chunks, damaged ones too: only the tables must agree.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let autopsy = evidence.autopsy else { return [] }
        let stored = ByteRanges(autopsy.chunks.map(\.range))
        let missing = autopsy.claimedRanges.subtracting(stored)
        let unclaimed = stored.subtracting(autopsy.claimedRanges)
        var details: [String] = []
        if !missing.isEmpty {
            details.append(
                "\(Wording.bytes(missing.count)) are claimed and in no chunk,"
                    + " at \(Wording.places(missing))")
        }
        if !unclaimed.isEmpty {
            details.append(
                "\(Wording.bytes(unclaimed.count)) are in chunks and not claimed,"
                    + " at \(Wording.places(unclaimed))")
        }
        return details
    }

    /// Needs the state after the kill.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        evidence.autopsy == nil
    }
}
