/// One request in the worker's witness page, read after its death.
package struct WitnessedRequest: Sendable, Hashable, Codable {
    package let start: Int64
    package let received: Int64
    package let acknowledged: Int64
    package let isActive: Bool

    package init(start: Int64, received: Int64, acknowledged: Int64, isActive: Bool) {
        (self.start, self.received, self.acknowledged) = (start, received, acknowledged)
        self.isActive = isActive
    }

    /// The first `count` positions; an end that overflows becomes the largest, outside the video.
    fileprivate func range(of count: Int64) -> Range<Int64> {
        let (end, overflow) = start.addingReportingOverflow(max(0, count))
        return start..<(overflow ? .max : end)
    }

    package var receivedRange: ByteRanges { ByteRanges([range(of: received)]) }
    package var acknowledgedRange: ByteRanges { ByteRanges([range(of: acknowledged)]) }
}

/// Bytes that the worker announced as evicted, to free space (C6).
package struct WitnessedEviction: Sendable, Hashable, Codable {
    package let range: Range<Int64>
    package let requests: Int

    package init(range: Range<Int64>, requests: Int) {
        (self.range, self.requests) = (range, requests)
    }
}

package enum WitnessGap: Error, Sendable, Hashable, Codable {
    /// No page was started, or its layout is unknown.
    case absent
    case strangePhase
    /// The page holds fewer requests than it counts.
    case requestsMissing(begun: Int)
    /// The page holds fewer evictions than it counts.
    case evictionsMissing
}

package struct WitnessReading: Sendable, Hashable, Codable {
    package let phase: Phase
    /// Commits that have returned since the worker started.
    package let commits: Int
    package let requests: [WitnessedRequest]
    package let entries: [Phase: Int]?
    /// The evictions that the worker announced, in order; nil if unknown.
    package let evictions: [WitnessedEviction]?

    /// The requests that fit a page (`WitnessLayout.slotCount`); a full one may have dropped some.
    package static let mostRequests = 1_023

    package var isFull: Bool { requests.count >= Self.mostRequests }

    package init(
        phase: Phase, commits: Int, requests: [WitnessedRequest], entries: [Phase: Int]? = nil,
        evictions: [WitnessedEviction]? = nil
    ) {
        (self.phase, self.commits, self.requests) = (phase, commits, requests)
        (self.entries, self.evictions) = (entries, evictions)
    }

    package var received: ByteRanges { ByteRanges(requests.map { $0.range(of: $0.received) }) }

    package var acknowledged: ByteRanges {
        ByteRanges(requests.map { $0.range(of: $0.acknowledged) })
    }

    package var activeRequests: Int { requests.count(where: \.isActive) }
}
