/// The recent uses of bytes, in order, until the next save writes them to the database (C6).
struct RecentUses {
    struct Use {
        var number: Int
        var video: Int64
        var range: ByteRange
    }

    static let capacity = 1024

    // Up to twice as many, so that most notes need no look at the others.
    private var noted: [Use] = []
    private var last = 0

    var isEmpty: Bool { noted.isEmpty }

    /// How many are in memory, with those that were used again since.
    var kept: Int { noted.count }

    mutating func note(_ range: ByteRange, ofVideo video: Int64) {
        guard !range.isEmpty else { return }
        last += 1
        if let newest = noted.last, newest.video == video,
            range.offset <= newest.range.end, newest.range.offset <= range.end
        {
            noted[noted.count - 1] = Use(
                number: last, video: video,
                range: ByteRange(
                    from: min(newest.range.offset, range.offset),
                    to: max(newest.range.end, range.end)))
            return
        }
        if noted.count == 2 * Self.capacity { noted = uses }
        noted.append(Use(number: last, video: video, range: range))
    }

    /// The newest uses, the oldest of them first, without those of bytes that were used again.
    var uses: [Use] {
        var again: [Int64: ByteRangeSet] = [:]
        var newest: [Use] = []
        for use in noted.reversed() where newest.count < Self.capacity {
            guard again[use.video]?.contains(use.range) != true else { continue }
            again[use.video, default: ByteRangeSet()].insert(use.range)
            newest.append(use)
        }
        return newest.reversed()
    }

    mutating func forget(upTo number: Int) { noted.removeAll { $0.number <= number } }
}
