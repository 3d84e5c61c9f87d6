import RigModel

/// B7, C9: with the origin stopped, recovered bytes must play, and other requests fail clearly.
enum OfflineChecker: EvidenceChecker {
    static let checker = Checker.offline

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.workload.hasPlayer
    }

    /// Every recovered position must be delivered; other requests must be refused with a reason.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let played = evidence.playedOffline, let recovered = figures.recovered else {
            return []
        }
        var details: [String] = []
        let missing = recovered.subtracting(played.delivered)
        if !missing.isEmpty {
            details.append(
                "\(missing.count) of \(recovered.count) recovered bytes do not play without the"
                    + " network, at \(Wording.places(missing))")
        }
        if let first = played.faults.first {
            let others = played.faults.count - 1
            details.append(first + (others > 0 ? " and \(others) more" : ""))
        }
        return details
    }

    /// Needs the recovered bytes and the offline deliveries; a player plays offline only after the
    /// last kill of a chain.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        let isLast = !(evidence.resumption?.wasKilled ?? false)
        return isLast && (evidence.playedOffline == nil || figures.recovered == nil)
    }
}
