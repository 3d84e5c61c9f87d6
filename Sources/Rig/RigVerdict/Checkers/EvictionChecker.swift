import RigModel

extension EvidenceChecker {
    /// C6: the cache keeps to its capacity, evicts only for lack of room, and announces each
    /// eviction; the least recently used goes first.
    ///
    /// Room is made for one save at a time, the last eviction may free more than needed, and the
    /// kill may come before the save: at most two thresholds per active request are free. Of the
    /// order of use, only what was delivered to the player last is known.
    static let eviction = EvidenceChecker(
        checker: .eviction, needs: [.page, .state], applies: { $0.savesByRange },
        details: { $0.wrongEvictions },
        lacksEvidence: { kill in
            guard kill.evidence.capacity != nil else { return false }
            return kill.evidence.autopsy == nil
                || kill.promisedPerRequest != nil && kill.figures.witness == nil
        })
}

extension JudgedKill {
    fileprivate var promisedPerRequest: Int64? {
        evidence.plan.policy.boundPerRequest(under: evidence.fault)
    }

    fileprivate var wrongEvictions: [String] {
        guard let capacity = evidence.capacity, let autopsy = evidence.autopsy else { return [] }
        let kept = autopsy.chunks.reduce(Int64(0)) {
            $0 + $1.range.upperBound - $1.range.lowerBound
        }
        var details: [String?] = []
        if kept > capacity {
            details.append(
                "\(kept.counted("byte")) are kept, \(kept - capacity) more than the capacity of"
                    + " \(capacity)")
        }
        if let promised = promisedPerRequest, let requests = figures.activeRequests {
            let free = Tolerances.freeThresholdsPerRequest * promised * Int64(max(1, requests))
            if kept < capacity - free {
                details.append(
                    figures.evicted.told(
                        "that were acknowledged are gone though only \(kept) of \(capacity) bytes"
                            + " are taken"))
            }
            if figures.announcedAndThere.count > free {
                details.append(figures.announcedAndThere.told("are there that were said to go"))
            }
            details.append(newest(capacity))
        }
        return details.compactMap(\.self)
    }

    /// Evicted bytes that had been delivered to the player last: only a small part of the capacity,
    /// as a cache protects some bytes from eviction, and not beside another request, which may be
    /// newer.
    private func newest(_ capacity: Int64) -> String? {
        guard let open = evidence.played?.open, open.count == 1, open[0].isAlone else { return nil }
        let taken = open[0].taken
        let reach = capacity / Tolerances.recentPartOfCapacity
        let recent = max(taken.lowerBound, taken.upperBound - reach)..<taken.upperBound
        return figures.evictedOnce.intersection(ByteRanges([recent]))
            .told("that the player had been handed last were evicted")
    }
}
