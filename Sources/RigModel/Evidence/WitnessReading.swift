/// What the worker said of one request in its witness page, read after its death.
package struct WitnessedRequest: Sendable, Hashable, Codable {
    /// Where in the video the request starts, in bytes.
    package let start: Int64
    /// Bytes taken off the socket.
    package let received: Int64
    /// Bytes whose commit has returned.
    package let acknowledged: Int64
    /// True while the request had not ended.
    package let isActive: Bool

    /// One request's figures.
    package init(start: Int64, received: Int64, acknowledged: Int64, isActive: Bool) {
        self.start = start
        self.received = received
        self.acknowledged = acknowledged
        self.isActive = isActive
    }
}

/// Bytes that the worker said were to go, to make room (C6).
package struct WitnessedEviction: Sendable, Hashable, Codable {
    /// The positions.
    package let range: Range<Int64>
    /// How many requests had begun by then.
    package let requests: Int

    /// An eviction of a range.
    package init(range: Range<Int64>, requests: Int) {
        self.range = range
        self.requests = requests
    }
}

extension WitnessedRequest {
    /// The first `count` positions of the request.
    ///
    /// The figures come from the worker, who may write anything: what cannot be is cut off at the
    /// greatest position there is, where the judge finds it to lie outside the video.
    fileprivate func range(of count: Int64) -> Range<Int64> {
        let (end, overflow) = start.addingReportingOverflow(max(0, count))
        return start..<(overflow ? .max : end)
    }

    /// The positions taken off the socket.
    package var receivedRange: ByteRanges { ByteRanges([range(of: received)]) }

    /// The positions that the worker says are safe.
    package var acknowledgedRange: ByteRanges { ByteRanges([range(of: acknowledged)]) }
}

/// Why a witness page gives no reading.
package enum WitnessGap: Error, Sendable, Hashable, Codable {
    /// No page was begun, or one in a layout that is not known.
    case absent
    /// It names a phase that there is none of.
    case strangePhase
    /// It does not hold every request that it counts.
    case requestsMissing(begun: Int)
    /// It does not hold every eviction that it counts.
    case evictionsMissing
}

/// The witness page as it stood at one moment.
package struct WitnessReading: Sendable, Hashable, Codable {
    /// Where the worker was.
    package let phase: Phase
    /// Commits that have returned since the worker started.
    package let commits: Int
    /// Every request since the worker started that the page still holds.
    package let requests: [WitnessedRequest]
    /// How often the worker entered each phase; nil when that is not known.
    package let entries: [Phase: Int]?
    /// What the worker said was to go to make room, in its order; nil when that is not known.
    package let evictions: [WitnessedEviction]?

    /// The requests that a page has room for: one with as many may have forgotten older ones, but not
    /// their commits (`WitnessLayout.slotCount`).
    package static let mostRequests = 1_023

    /// True where the page may have forgotten requests.
    package var isFull: Bool { requests.count >= Self.mostRequests }

    /// A reading.
    package init(
        phase: Phase, commits: Int, requests: [WitnessedRequest], entries: [Phase: Int]? = nil,
        evictions: [WitnessedEviction]? = nil
    ) {
        self.phase = phase
        self.commits = commits
        self.requests = requests
        self.entries = entries
        self.evictions = evictions
    }

    /// The byte positions taken off the socket.
    package var received: ByteRanges {
        ByteRanges(requests.map { $0.range(of: $0.received) })
    }

    /// The byte positions that the worker says are safe.
    package var acknowledged: ByteRanges {
        ByteRanges(requests.map { $0.range(of: $0.acknowledged) })
    }

    /// Requests that had not ended.
    package var activeRequests: Int { requests.count(where: \.isActive) }
}
