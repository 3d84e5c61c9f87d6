package import RigModel

/// C6: no more is kept than the capacity, and what goes is said to go, while there is no room, the
/// least recently used first.
///
/// Room is made for one save at a time: the least recently used chunks go, of which the last may
/// free more than is needed, and the kill may come before the save that needed it. So after an
/// eviction at most two thresholds per active request are free. What goes without a word is for
/// ``DurabilityChecker``.
///
/// Of the order of use the rig knows what the player was handed last. Which of several older chunks
/// was used before another, by which of the player's earlier requests, it does not judge.
package enum EvictionChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.eviction

    /// Finds nothing without a capacity.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
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

    /// Takes the state, and for what is gone the page; without a capacity there is nothing to look for.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        guard evidence.capacity != nil else { return false }
        let promised = evidence.plan.policy.boundPerRequest(under: evidence.fault)
        return evidence.autopsy == nil || promised != nil && figures.witness == nil
    }

    /// What went although the player had just been handed it.
    ///
    /// A part of the capacity that is small beside what cannot be protected from eviction: whatever
    /// a cache keeps for its readers, older bytes are left to go before these. Of two requests at
    /// the same time the other's bytes may be the newer ones, so that nothing is said then.
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
