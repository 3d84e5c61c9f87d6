import RigModel

/// B8: as many commits as the threshold implies, of the size it implies.
///
/// With a = acknowledged bytes, n = commits that returned and T = threshold: no commit is greater
/// than T, so n ≥ ⌈a ÷ T⌉; and none is smaller than the documented 476 KB of 512 KB, except the one
/// remainder that each ended request may leave (S2), so n ≤ ⌊a ÷ smallest⌋ + ended requests.
///
/// The minimum commit size holds for the reference worker only, which documents it; other workers
/// may save as often as they like.
///
/// The page's commit count and a request's acknowledged bytes are two stores. A kill between them
/// leaves, for each active request, one commit counted and not acknowledged, or vice versa; that is
/// tolerated to avoid false alarms. Commits that are in the database but did not return before the
/// kill are in neither figure. A probe of two bytes commits nothing.
enum CommitsChecker: EvidenceChecker {
    /// The checker's name.
    static let checker = Checker.commits

    /// Compares the commit count with what the acknowledged bytes imply.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let threshold = evidence.plan.policy.threshold?.bytes,
            evidence.contract.isByThreshold, let witness = figures.witness
        else { return [] }
        let acknowledged = witness.requests.reduce(Int64(0)) { $0 + $1.acknowledged }
        let active = figures.activeRequests ?? witness.activeRequests
        let inHand = active * Tolerances.commitsPerActiveRequest
        // With a player, bytes that one request committed may also be acknowledged to another, so
        // distinct bytes count. Without a player, no byte is requested twice.
        let committed =
            evidence.workload.hasPlayer ? witness.acknowledged.count : acknowledged
        let fewest = Int((committed + threshold - 1) / threshold) - inHand
        if witness.commits < fewest {
            return [
                "\(witness.commits) commits for \(committed) acknowledged bytes: commits of at"
                    + " most \(threshold) bytes imply at least \(fewest)"
            ]
        }
        guard evidence.contract.isReference,
            let smallest = smallestCommit(threshold: threshold), !witness.isFull
        else { return [] }
        let ended = witness.requests.count - witness.activeRequests
        let most = Int(acknowledged / smallest) + ended + inHand
        guard witness.commits > most else { return [] }
        return [
            "\(witness.commits) commits for \(acknowledged) acknowledged bytes: commits of at least"
                + " \(smallest) bytes and \(ended) remainders imply at most \(most)"
        ]
    }

    /// Needs the page of a worker that saves by the threshold.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        guard evidence.plan.policy.threshold != nil, evidence.contract.isByThreshold else {
            return false
        }
        return figures.witness == nil
    }

    /// The smallest commit that is not a remainder; nil when unknown.
    ///
    /// A commit is smaller than the threshold by less than one network read. The size of a read
    /// does not grow with the threshold; the documents give it for 512 KB. Above 512 KB the same
    /// proportion is used, which is more lenient. A threshold of at most one read has no smallest
    /// commit.
    static func smallestCommit(threshold: Int64) -> Int64? {
        let parts = 512 - Tolerances.commitShortfallParts
        let byProportion = threshold / 512 * parts + threshold % 512 * parts / 512
        let byRead = threshold - Tolerances.commitShortfallBytes
        let smallest = min(byProportion, byRead)
        return smallest > 0 ? smallest : nil
    }
}
