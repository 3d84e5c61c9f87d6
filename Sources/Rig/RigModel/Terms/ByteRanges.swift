/// Byte positions, as sorted half-open ranges that neither touch nor overlap: the rig's own, so
/// that it does not share bugs with the code under test.
package struct ByteRanges: Sendable, Hashable, Codable {
    package private(set) var ranges: [Range<Int64>]

    package init() { ranges = [] }

    /// The union of the given ranges, in any order; empty ones are ignored.
    package init(_ ranges: some Sequence<Range<Int64>>) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    package var count: Int64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }
    package var isEmpty: Bool { ranges.isEmpty }
    package func union(_ other: ByteRanges) -> ByteRanges { ByteRanges(ranges + other.ranges) }

    package func subtracting(_ other: ByteRanges) -> ByteRanges {
        var left: [Range<Int64>] = []
        var holes = other.ranges[...]
        for range in ranges {
            var start = range.lowerBound
            while let hole = holes.first, hole.upperBound <= start { holes.removeFirst() }
            for hole in holes {
                if hole.lowerBound >= range.upperBound { break }
                if hole.lowerBound > start { left.append(start..<hole.lowerBound) }
                start = max(start, hole.upperBound)
            }
            if start < range.upperBound { left.append(start..<range.upperBound) }
        }
        return ByteRanges(left)
    }

    package func intersection(_ other: ByteRanges) -> ByteRanges { subtracting(subtracting(other)) }
    package func contains(_ other: ByteRanges) -> Bool { other.subtracting(self).isEmpty }
}
