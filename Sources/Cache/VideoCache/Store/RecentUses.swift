/// The recent uses of bytes, in order, until the next save writes them to the database (C6).
struct RecentUses {
    /// A range that was used.
    struct Use {
        var number: Int
        var video: Int64
        var range: ByteRange
    }

    /// The number of uses that are kept; older ones are dropped.
    static let capacity = 1024

    private(set) var uses: [Use] = []
    private var last = 0

    /// Records that a range was used just now.
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

    /// Drops the uses that were written to the database.
    mutating func forget(upTo number: Int) {
        uses.removeAll { $0.number <= number }
    }
}
