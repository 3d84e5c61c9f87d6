/// A set of bytes, stored as ordered ranges; adjacent and overlapping ranges are merged (C2).
public struct ByteRangeSet: Sendable, Hashable {
    /// The ranges: ascending, none empty, and with a gap between any two.
    public private(set) var ranges: [ByteRange] = []

    /// An empty set.
    public init() {}

    /// The union of the ranges, which may overlap and come in any order.
    public init(_ ranges: some Sequence<ByteRange>) { for range in ranges { insert(range) } }

    /// The number of bytes in the set.
    public var byteCount: Int64 { ranges.byteCount }

    /// True if the set contains no byte.
    public var isEmpty: Bool { ranges.isEmpty }

    /// Adds the bytes of a range; bytes already in the set change nothing.
    public mutating func insert(_ range: ByteRange) {
        guard !range.isEmpty else { return }
        let first = ranges.partitioningIndex { $0.end >= range.offset }
        let last = ranges.partitioningIndex { $0.offset > range.end }
        var merged = range
        if first < last {
            merged = ByteRange(
                from: min(range.offset, ranges[first].offset),
                to: max(range.end, ranges[last - 1].end))
        }
        ranges.replaceSubrange(first..<last, with: [merged])
    }

    /// Removes the bytes of a range from the set.
    public mutating func remove(_ range: ByteRange) {
        let touched = indices(touching: range)
        guard let first = touched.first, let last = touched.last else { return }
        let left = [
            ByteRange(from: ranges[first].offset, to: range.offset),
            ByteRange(from: range.end, to: ranges[last].end),
        ]
        ranges.replaceSubrange(touched, with: left.filter { !$0.isEmpty })
    }

    package func subtracting(_ other: Self) -> Self {
        other.ranges.reduce(into: self) { $0.remove($1) }
    }

    private func indices(touching range: ByteRange) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        let first = ranges.partitioningIndex { $0.end > range.offset }
        return first..<ranges.partitioningIndex { $0.offset >= range.end }
    }

    /// True if every byte of the range is in the set.
    public func contains(_ range: ByteRange) -> Bool {
        range.isEmpty || indices(touching: range).first.map { ranges[$0].contains(range) } ?? false
    }

    /// The parts of the range that are in the set, in order.
    public func intersection(_ range: ByteRange) -> [ByteRange] {
        ranges[indices(touching: range)].compactMap { $0.intersection(range) }
    }

    /// The parts of the range that are not in the set, in order.
    public func gaps(in range: ByteRange) -> [ByteRange] {
        var gaps: [ByteRange] = []
        var position = range.offset
        for held in intersection(range) {
            gaps.append(ByteRange(from: position, to: held.offset))
            position = held.end
        }
        gaps.append(ByteRange(from: position, to: range.end))
        return gaps.filter { !$0.isEmpty }
    }
}

extension Array {
    /// The index of the first element for which `isBeyond` is true; it is true for all later ones.
    func partitioningIndex(where isBeyond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Sequence<ByteRange> {
    /// The lengths of all of them added up, in bytes; positions in two of them count twice.
    package var byteCount: Int64 { reduce(0) { $0 + $1.length } }
}
