/// Which bytes were used, in order, until it is written down with the next save (C6).
struct UseBook {
    /// A range that was used.
    struct Use {
        var number: Int
        var video: Int64
        var range: ByteRange
    }

    /// So many uses are kept; older ones count as not used.
    static let capacity = 1024

    private(set) var uses: [Use] = []
    private var last = 0

    /// Notes that a range was used just now.
    mutating func note(_ range: ByteRange, ofVideo video: Int64) {
        guard !range.isEmpty else { return }
        last += 1
        if let newest = uses.last, newest.video == video,
            range.offset <= newest.range.end, newest.range.offset <= range.end
        {
            uses[uses.count - 1] = Use(
                number: last, video: video,
                range: ByteRange(
                    from: min(newest.range.offset, range.offset),
                    to: max(newest.range.end, range.end)))
            return
        }
        uses.removeAll { $0.video == video && range.contains($0.range) }
        if uses.count == Self.capacity { uses.removeFirst() }
        uses.append(Use(number: last, video: video, range: range))
    }

    /// Forgets what was written down.
    mutating func forget(upTo number: Int) {
        uses.removeAll { $0.number <= number }
    }
}
