/// A player's request that was still open, with bytes outstanding, at the kill.
package struct OpenRequest: Sendable, Hashable, Codable {
    /// The positions delivered so far; the player waited for the position at the upper bound.
    package let taken: Range<Int64>
    /// True when the player had no other request open at the same time.
    package var isAlone: Bool

    package init(taken: Range<Int64>, isAlone: Bool) {
        (self.taken, self.isAlone) = (taken, isAlone)
    }
}

/// What a player received through a worker's proxy, compared byte by byte on arrival.
package struct Delivery: Sendable, Hashable, Codable {
    package var requests = 0
    package var delivered = ByteRanges()
    package var wrongBytes: Int64 = 0
    package var firstDifference: Difference?
    /// What no player may see, one line each, without effects of the kill: a wrong status or range.
    package var faults: [String] = []
    /// The requests that were open, with bytes outstanding, at the kill; nil when there were none.
    package var open: [OpenRequest]?

    package init() {}

    package mutating func add(_ other: Delivery) {
        requests += other.requests
        delivered = delivered.union(other.delivered)
        wrongBytes += other.wrongBytes
        firstDifference = firstDifference ?? other.firstDifference
        faults += other.faults
        if let more = other.open { open = (open ?? []) + more }
    }
}
