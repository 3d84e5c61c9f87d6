/// What a worker under a capacity may have dropped: what it said was to go, after it had it (C6).
///
/// What it fetched and acknowledged anew by a request that began after an eviction was announced has
/// to be there again. Of a request that was under way then it is not known whether it brought the
/// bytes before or after; they count as brought before, and nothing else is concluded from them.
package struct EvictionLedger: Sendable {
    private let evictions: [WitnessedEviction]
    private let requests: [WitnessedRequest]
    private let stays: ByteRanges

    /// A ledger of what a page tells.
    ///
    /// - Parameters:
    ///   - witness: the page; every request since the worker started is in it.
    ///   - stays: positions that are there all the same: the kill may come before the commit by which
    ///     they go.
    package init(_ witness: WitnessReading, stays: ByteRanges) {
        evictions = witness.evictions ?? []
        requests = witness.requests
        self.stays = stays
    }

    /// What was said to go once so many requests had begun, or later, and is not there.
    private func gone(since requests: Int) -> ByteRanges {
        ByteRanges(evictions.filter { $0.requests >= requests }.map(\.range)).subtracting(stays)
    }

    /// What is left of something that each request has, in the order in which they began.
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

    /// What was taken off sockets, and was not evicted since.
    package var received: ByteRanges { left(of: \.receivedRange) }

    /// What was called safe, and was not evicted since.
    package var acknowledged: ByteRanges { left(of: \.acknowledgedRange) }

    /// What was there before the first request, and was not evicted since.
    package func left(ofBaseline baseline: ByteRanges) -> ByteRanges {
        baseline.subtracting(gone(since: 0))
    }

    /// What more than one request has brought: of these bytes it is not known which came last.
    package var broughtAgain: ByteRanges {
        var (once, again) = (ByteRanges(), ByteRanges())
        for request in requests {
            let own = request.receivedRange
            again = again.union(own.intersection(once))
            once = once.union(own)
        }
        return again
    }

    /// What was said to go and is there, though no other request has brought it again.
    package var announcedAndThere: ByteRanges {
        let announced = evictions.map { eviction in
            let later = requests.dropFirst(eviction.requests).map(\.acknowledgedRange)
            return later.reduce(ByteRanges([eviction.range])) { $0.subtracting($1) }
        }
        return ByteRanges(announced.flatMap(\.ranges)).intersection(stays)
            .subtracting(broughtAgain)
    }
}
