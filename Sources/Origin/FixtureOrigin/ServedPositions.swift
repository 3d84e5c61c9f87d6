/// The byte positions of a resource that were handed out, as sorted ranges that never touch.
struct ServedPositions: Sendable, Hashable {
    private(set) var ranges: [Range<Int64>] = []
    private(set) var count: Int64 = 0

    /// Adds a range; positions that are already in the set count once.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = firstIndex(touching: range.lowerBound)
        var merged = range
        var end = first
        while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
            let old = ranges[end]
            merged = min(merged.lowerBound, old.lowerBound)..<max(merged.upperBound, old.upperBound)
            count -= old.upperBound - old.lowerBound
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: [merged])
        count += merged.upperBound - merged.lowerBound
    }

    /// The length of the longest prefix of a window with at most `limit` positions not in the set.
    func reach(in window: Range<Int64>, newPositions limit: Int64) -> Int64 {
        var left = limit
        var position = window.lowerBound
        for range in ranges[firstIndex(touching: position)...] {
            guard range.lowerBound < window.upperBound else { break }
            let gap = max(0, range.lowerBound - position)
            if gap > left { break }
            left -= gap
            position = max(position, range.upperBound)
        }
        let wanted = max(0, window.upperBound - position)
        return min(position + min(left, wanted), window.upperBound) - window.lowerBound
    }

    /// The first range that ends at or after a position.
    private func firstIndex(touching position: Int64) -> Int {
        ranges.firstIndex { $0.upperBound >= position } ?? ranges.count
    }
}
