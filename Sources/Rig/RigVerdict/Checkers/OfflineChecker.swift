import RigModel

extension EvidenceChecker {
    /// B7, C9: with the origin stopped, after the last kill of a chain, recovered bytes must play,
    /// and requests for others must be refused with a reason.
    static let offline = EvidenceChecker(
        checker: .offline, applies: { $0.workload.hasPlayer },
        details: { kill in
            guard let played = kill.evidence.playedOffline, let recovered = kill.figures.recovered
            else { return [] }
            let missing = recovered.subtracting(played.delivered)
            let unplayed =
                missing.isEmpty
                ? nil
                : "\(missing.count) of \(recovered.count) recovered bytes do not play without the"
                    + " network, at \(Wording.places(missing))"
            return [unplayed, played.wrongAnswer].compactMap(\.self)
        },
        lacksEvidence: {
            $0.evidence.isOfLastKill
                && ($0.evidence.playedOffline == nil || $0.figures.recovered == nil)
        })
}
