/// What a worker with a capacity limit may have dropped: the evictions that it announced (C6); of a
/// request under way at an announcement, bytes count as fetched before it.
package struct EvictionLedger: Sendable {
    private let evictions: [WitnessedEviction]
    private let requests: [WitnessedRequest]
    private let stays: ByteRanges

    /// Of a page with every request; `stays` is there although announced, as the commit came late.
    package init(_ witness: WitnessReading, stays: ByteRanges) {
        evictions = witness.evictions ?? []
        requests = witness.requests
        self.stays = stays
    }

    /// Positions announced as evicted after at least that many requests had begun, and now absent.
    private func gone(since requests: Int) -> ByteRanges {
        ByteRanges(evictions.filter { $0.requests >= requests }.map(\.range)).subtracting(stays)
    }

    /// What remains of the given ranges of each request, in the order in which the requests began.
    private func left(of ranges: (WitnessedRequest) -> ByteRanges) -> ByteRanges {
        // The sets differ only where an eviction comes between two requests.
        var known: [Int: ByteRanges] = [:]
        let counts = Set(evictions.map(\.requests)).sorted()
        return ByteRanges(
            requests.enumerated().flatMap { index, request in
                let next = counts.first { $0 > index } ?? .max
                let gone = known[next] ?? gone(since: index + 1)
                known[next] = gone
                return ranges(request).subtracting(gone).ranges
            })
    }

    package var received: ByteRanges { left(of: \.receivedRange) }
    package var acknowledged: ByteRanges { left(of: \.acknowledgedRange) }

    package func left(ofBaseline baseline: ByteRanges) -> ByteRanges {
        baseline.subtracting(gone(since: 0))
    }

    /// Positions that more than one request fetched: which request came last is unknown.
    package var broughtAgain: ByteRanges {
        var (once, again) = (ByteRanges(), ByteRanges())
        for request in requests {
            let own = request.receivedRange
            again = again.union(own.intersection(once))
            once = once.union(own)
        }
        return again
    }

    /// Positions announced as evicted but present, although no other request fetched them again.
    package var announcedAndThere: ByteRanges {
        let announced = evictions.map { eviction in
            let later = requests.dropFirst(eviction.requests).map(\.acknowledgedRange)
            return later.reduce(ByteRanges([eviction.range])) { $0.subtracting($1) }
        }
        return ByteRanges(announced.flatMap(\.ranges)).intersection(stays).subtracting(broughtAgain)
    }
}
