import RigModel

extension EvidenceChecker {
    /// B7: the claimed ranges must be the union of all chunks, damaged ones too.
    static let ranges = EvidenceChecker(
        checker: .ranges, needs: [.state], applies: { $0.savesByRange },
        details: { kill in
            guard let autopsy = kill.evidence.autopsy else { return [] }
            let stored = ByteRanges(autopsy.chunks.map(\.range))
            let missing = autopsy.claimedRanges.subtracting(stored)
            let unclaimed = stored.subtracting(autopsy.claimedRanges)
            return [
                missing.told("are claimed and in no chunk"),
                unclaimed.told("are in chunks and not claimed"),
            ].compactMap(\.self)
        }, lacksEvidence: { $0.evidence.autopsy == nil })
}
