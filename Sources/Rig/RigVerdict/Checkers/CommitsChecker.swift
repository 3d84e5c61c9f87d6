import RigModel

extension EvidenceChecker {
    /// B8: as many commits as the threshold implies, of the size it implies.
    ///
    /// With a = acknowledged bytes and T = threshold, n commits that returned are at least ⌈a ÷ T⌉,
    /// and at most ⌊a ÷ smallest⌋ + ended requests, as each may leave one remainder (S2). Of two
    /// players n is compared with the sums. Only the reference worker documents a smallest commit
    /// (476 KB of 512).
    ///
    /// A kill between the page's two stores leaves, for each active request, one commit counted and
    /// not acknowledged, or vice versa. A probe of two bytes commits nothing.
    static let commits = EvidenceChecker(
        checker: .commits, needs: [.page], counts: [.tooLate, .unreadState],
        applies: { $0.savesByRange }, details: { $0.wrongCommits },
        lacksEvidence: {
            $0.evidence.plan.policy.threshold != nil && $0.evidence.contract.isByThreshold
                && $0.figures.witness == nil
        })
}

extension JudgedKill {
    fileprivate var wrongCommits: [String] {
        guard evidence.plan.policy.threshold != nil, evidence.contract.isByThreshold,
            let witness = figures.witness
        else { return [] }
        let shares = shares(of: witness)
        let acknowledged = shares.reduce(0) { $0 + $1.acknowledged }
        let active = figures.activeRequests ?? witness.activeRequests
        let inHand = active * Tolerances.commitsPerActiveRequest
        let committed = shares.reduce(0) { $0 + $1.committed }
        let fewest = shares.reduce(0) { $0 + $1.fewest } - inHand
        let pieces = pieces(of: witness)
        if !pieces.isEmpty { return pieces }
        if witness.commits < fewest {
            return [
                "\(witness.commits) commits for \(committed) acknowledged bytes: commits of at"
                    + " most \(Self.words(shares.map(\.threshold))) bytes imply at least \(fewest)"
            ]
        }
        let smallest = shares.compactMap(\.smallest)
        guard evidence.contract.isReference, smallest.count == shares.count, !witness.isFull
        else { return [] }
        let ended = witness.requests.count - witness.activeRequests
        let most = shares.reduce(0) { $0 + ($1.most ?? 0) } + ended + inHand
        guard witness.commits > most else { return [] }
        return [
            "\(witness.commits) commits for \(acknowledged) acknowledged bytes: commits of at least"
                + " \(Self.words(smallest)) bytes and \(ended) remainders imply at most \(most)"
        ]
    }

    /// What the page says of one video, with the threshold that holds for it (S5).
    private struct Share {
        let threshold: Int64
        let acknowledged: Int64
        // Distinct bytes with a player, as what one request committed may be acknowledged to
        // another.
        let committed: Int64

        var fewest: Int { Int((committed + threshold - 1) / threshold) }
        var smallest: Int64? { JudgedKill.smallestCommit(threshold: threshold) }
        var most: Int? { smallest.map { Int(acknowledged / $0) } }
    }

    private func shares(of page: WitnessReading) -> [Share] {
        evidence.shares.compactMap { share in
            guard let threshold = share.policy.threshold?.bytes else { return nil }
            let acknowledged = page.requests.filter { share.contains($0.start) }
                .reduce(Int64(0)) { $0 + $1.acknowledged }
            return Share(
                threshold: threshold, acknowledged: acknowledged,
                committed: evidence.workload.hasPlayer
                    ? share.part(of: page.acknowledged).count : acknowledged)
        }
    }

    /// What is stored of each of several videos, which the page's one count does not tell apart
    /// (S5): pieces larger than its threshold allows, or more of them than its requests leave.
    private func pieces(of page: WitnessReading) -> [String] {
        guard evidence.contract.isReference, let autopsy = evidence.autopsy,
            evidence.shares.count > 1
        else { return [] }
        let before = evidence.baseline ?? ByteRanges()
        return evidence.shares.compactMap { share in
            guard let threshold = share.policy.threshold?.bytes else { return nil }
            let pieces = autopsy.chunks.map(\.range).filter {
                share.contains($0.lowerBound) && !before.contains(ByteRanges([$0]))
            }
            let video = "of the video saved by \(share.policy.name)"
            if let longest = pieces.map(\.count).max(), longest > threshold {
                return "a piece \(video) has \(longest) bytes, more than \(threshold)"
            }
            guard let smallest = Self.smallestCommit(threshold: threshold), !page.isFull else {
                return nil
            }
            let saves = page.requests.filter { share.contains($0.start) }.reduce(Int64(0)) {
                $0 + $1.acknowledged / smallest + ($1.isActive || $1.acknowledged > 0 ? 1 : 0)
            }
            let most = saves * ((threshold + Self.largestPiece - 1) / Self.largestPiece)
            guard pieces.count > most else { return nil }
            return "\(pieces.count) pieces \(video), where saves of at least \(smallest) bytes"
                + " and a remainder of each request leave at most \(most)"
        }
    }

    /// The reference worker stores what it saves in pieces of at most this.
    private static let largestPiece: Int64 = 1 << 20

    private static func words(_ sizes: [Int64]) -> String {
        sizes.map(String.init).joined(separator: " and ")
    }

    /// The smallest commit that is not a remainder: by less than one network read below the
    /// threshold.
    ///
    /// The documents give the size of a read for 512 KB, and it does not grow. Above that the same
    /// proportion is used, which is more lenient. Nil for a threshold of at most one read.
    static func smallestCommit(threshold: Int64) -> Int64? {
        let parts = 512 - Tolerances.commitShortfallParts
        let byProportion = threshold / 512 * parts + threshold % 512 * parts / 512
        let byRead = threshold - Tolerances.commitShortfallBytes
        let smallest = min(byProportion, byRead)
        return smallest > 0 ? smallest : nil
    }
}
