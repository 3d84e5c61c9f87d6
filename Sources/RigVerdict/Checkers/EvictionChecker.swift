package import RigModel

/// C6: no more is kept than the capacity, and nothing is dropped while there is room.
///
/// Room is made for one save at a time: the least recently used chunks go, of which the last may
/// free more than is needed, and the kill may come before the save that needed it. So after an
/// eviction at most two thresholds per active request are free.
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
            let witness = evidence.witness
        else { return details }
        let gone = figures.evicted
        let free = 2 * promised * Int64(max(1, witness.activeRequests))
        if !gone.isEmpty, kept < capacity - free {
            details.append(
                "\(Wording.bytes(gone.count)) that were acknowledged are gone though only \(kept)"
                    + " of \(capacity) bytes are taken, at \(Wording.places(gone))")
        }
        return details
    }
}
