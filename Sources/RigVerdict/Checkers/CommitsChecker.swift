package import RigModel

/// B8: as many commits as the threshold implies, of the size it implies.
///
/// With a = acknowledged bytes, n = commits that returned and T = threshold: no commit is greater
/// than T, so n ≥ ⌈a ÷ T⌉; and none is smaller than the documents' 476 KB of 512 KB, except the
/// one remainder that each ended request may leave (S2), so n ≤ ⌊a ÷ smallest⌋ + ended requests.
///
/// How small a commit may be only the reference worker's documents say; another one may save as often
/// as it likes.
///
/// The page's commit count and a request's acknowledged bytes are two stores. A kill between them
/// leaves one commit counted and not yet acknowledged, or the other way round, for each active
/// request; that is allowed for, since a false alarm is a defect. Commits that are in the database
/// and did not return before the kill appear in neither figure. A probe of two bytes commits
/// nothing.
package enum CommitsChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.commits

    /// Compares the commit count with what the acknowledged bytes imply.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let threshold = evidence.plan.policy.threshold?.bytes,
            evidence.contract.isByThreshold, let witness = figures.witness
        else { return [] }
        let acknowledged = witness.requests.reduce(Int64(0)) { $0 + $1.acknowledged }
        let active = figures.activeRequests ?? witness.activeRequests
        let inHand = active * Tolerances.commitsPerActiveRequest
        // Where requests may meet, bytes that one has saved are acknowledged to another without a
        // commit of their own; one that fetches without a player asks for no byte twice.
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

    /// Takes the page of a worker that saves by the threshold.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        guard evidence.plan.policy.threshold != nil, evidence.contract.isByThreshold else {
            return false
        }
        return figures.witness == nil
    }

    /// The smallest commit that is not a remainder; nil when nothing can be said.
    ///
    /// A commit falls short of the threshold by less than one network read, whose size does not
    /// grow with the threshold: what the documents saw at 512 KB. For thresholds above that their
    /// proportion is the more lenient reading. For a threshold of no more than one read there is no
    /// smallest commit.
    static func smallestCommit(threshold: Int64) -> Int64? {
        let parts = 512 - Tolerances.commitShortfallParts
        let byProportion = threshold / 512 * parts + threshold % 512 * parts / 512
        let byRead = threshold - Tolerances.commitShortfallBytes
        let smallest = min(byProportion, byRead)
        return smallest > 0 ? smallest : nil
    }
}
