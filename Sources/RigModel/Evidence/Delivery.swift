/// A request that a player still had open when the kill came, and of which it wanted more.
package struct OpenRequest: Sendable, Hashable, Codable {
    /// What it had been handed of it; the end is the position that it waited for.
    package let taken: Range<Int64>
    /// True where it made no other request at the same time.
    package var isAlone: Bool

    /// A request under way.
    package init(taken: Range<Int64>, isAlone: Bool) {
        self.taken = taken
        self.isAlone = isAlone
    }
}

/// What a player was handed through a worker's proxy, compared byte by byte as it came.
package struct Delivery: Sendable, Hashable, Codable {
    /// Requests that the player made.
    package var requests = 0
    /// Positions handed over, equal to the video's.
    package var delivered = ByteRanges()
    /// Bytes handed over that are unlike the video's.
    package var wrongBytes: Int64 = 0
    /// The first place of them.
    package var firstDifference: Difference?
    /// What no player may meet, one line each: a wrong status, a wrong `Content-Range`, a body that
    /// ends early or goes on too long; not what the kill itself brought about.
    package var faults: [String] = []
    /// The requests that were open, and wanted more, when the kill came; nil where none were.
    package var open: [OpenRequest]?

    /// Nothing asked for yet.
    package init() {}

    /// Adds what another connection was handed.
    package mutating func add(_ other: Delivery) {
        requests += other.requests
        delivered = delivered.union(other.delivered)
        wrongBytes += other.wrongBytes
        firstDifference = firstDifference ?? other.firstDifference
        faults += other.faults
        if let more = other.open { open = (open ?? []) + more }
    }
}
