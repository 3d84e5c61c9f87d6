/// Index rows of the next chunks of a sequential read, from one lookup.
///
/// They may be stale: a row from here is used only if this process has begun no eviction since, and
/// if the bytes match the checksum.
package struct ChunksAhead: Sendable {
    /// The most rows per lookup.
    static let most = 16

    private var evictions = 0
    private var video: Int64?
    private var rows: ArraySlice<IndexRow> = []

    /// Creates an empty set of rows.
    package init() {}

    /// How many rows to look up: the first read of a range is often its last.
    func count(ofVideo id: Int64) -> Int { video == id ? Self.most : 1 }

    /// Drops the rows if an eviction has begun since they were looked up: it may have taken them.
    ///
    /// - Parameter evictions: how many have begun by now.
    mutating func expire(after evictions: Int) {
        guard evictions != self.evictions else { return }
        self.evictions = evictions
        rows = []
    }

    /// The row of the chunk that holds a byte; nil if it is not known.
    mutating func row(ofVideo id: Int64, at offset: Int64) -> IndexRow? {
        guard video == id else { return nil }
        rows = rows.drop { $0.range.end <= offset }
        return rows.first.flatMap { $0.range.contains(offset) ? $0 : nil }
    }

    /// Replaces the rows by those of a new lookup.
    mutating func set(_ rows: [IndexRow], ofVideo id: Int64) {
        video = id
        self.rows = rows[...]
    }
}
