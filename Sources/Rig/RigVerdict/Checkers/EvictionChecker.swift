import RigModel

/// C6: the cache keeps to its capacity, evicts only for lack of room, and announces each eviction;
/// the least recently used goes first.
///
/// Room is made for one save at a time by evicting the least recently used chunks. The last one may
/// free more than needed, and the kill may come before the save. So after an eviction at most two
/// thresholds per active request are free. Unannounced evictions are left to ``DurabilityChecker``.
///
/// Of the order of use, the rig knows only what was delivered to the player last. It does not judge
/// in which order several older chunks are evicted.
enum EvictionChecker: EvidenceChecker {
    static let checker = Checker.eviction
    static let needs: Set<EvidenceSource> = [.page, .state]

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.savesByRange
    }

    /// Checks nothing without a capacity.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let capacity = evidence.capacity, let autopsy = evidence.autopsy else { return [] }
        let kept = autopsy.chunks.reduce(Int64(0)) {
            $0 + $1.range.upperBound - $1.range.lowerBound
        }
        var details: [String] = []
        if kept > capacity {
            details.append(
                "\(Wording.bytes(kept)) are kept, \(kept - capacity) more than the capacity of"
                    + " \(capacity)")
        }
        guard let promised = evidence.plan.policy.boundPerRequest(under: evidence.fault),
            let requests = figures.activeRequests
        else { return details }
        let gone = figures.evicted
        let free = Tolerances.freeThresholdsPerRequest * promised * Int64(max(1, requests))
        if !gone.isEmpty, kept < capacity - free {
            details.append(
                "\(Wording.bytes(gone.count)) that were acknowledged are gone though only \(kept)"
                    + " of \(capacity) bytes are taken, at \(Wording.places(gone))")
        }
        let idle = figures.announcedAndThere
        if idle.count > free {
            details.append(
                "\(Wording.bytes(idle.count)) are there that were said to go, at"
                    + " \(Wording.places(idle))")
        }
        if let newest = newest(evidence, figures.evictedOnce, capacity) { details.append(newest) }
        return details
    }

    /// Needs the state, and the page for evictions; without a capacity there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        guard evidence.capacity != nil else { return false }
        let promised = evidence.plan.policy.boundPerRequest(under: evidence.fault)
        return evidence.autopsy == nil || promised != nil && figures.witness == nil
    }

    /// Evicted bytes that had been delivered to the player last; nil when there are none.
    ///
    /// Counts only a small part of the capacity: although a cache protects some bytes from
    /// eviction, enough older ones remain to go first. With two requests at once, the other's bytes
    /// may be newer, so nothing is reported.
    private static func newest(
        _ evidence: IterationEvidence, _ gone: ByteRanges, _ capacity: Int64
    ) -> String? {
        guard let open = evidence.played?.open, open.count == 1, open[0].isAlone else { return nil }
        let taken = open[0].taken
        let reach = capacity / Tolerances.recentPartOfCapacity
        let recent = max(taken.lowerBound, taken.upperBound - reach)..<taken.upperBound
        let early = gone.intersection(ByteRanges([recent]))
        guard !early.isEmpty else { return nil }
        return "\(Wording.bytes(early.count)) that the player had been handed last were evicted, at"
            + " \(Wording.places(early))"
    }
}
