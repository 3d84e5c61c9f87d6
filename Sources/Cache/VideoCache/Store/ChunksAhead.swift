/// Where a sequential read ends, and index rows of its next chunks, from one lookup.
///
/// The rows may be stale: a row from here is used only if this process has dropped no row since, and
/// if the bytes match the checksum.
package struct ChunksAhead: Sendable {
    static let most = 16

    /// The end of the bytes that are wanted; of the chunk that holds it, only a part may be read.
    var end: Int64

    /// How often rows had been dropped before the lookup.
    private(set) var drops = 0
    private var video: Int64?
    private var rows: ArraySlice<IndexRow> = []

    /// Creates an empty set of rows, for a read to an end; without one, chunks are read whole.
    package init(until end: Int64 = .max) { self.end = end }

    /// How many rows to look up: the first read of a range is often its last.
    func count(ofVideo id: Int64) -> Int { video == id ? Self.most : 1 }

    mutating func expire(after drops: Int) {
        guard drops != self.drops else { return }
        self.drops = drops
        rows = []
    }

    mutating func row(ofVideo id: Int64, at offset: Int64) -> IndexRow? {
        guard video == id else { return nil }
        rows = rows.drop { $0.range.end <= offset }
        return rows.first.flatMap { $0.range.contains(offset) ? $0 : nil }
    }

    mutating func set(_ rows: [IndexRow], ofVideo id: Int64) {
        video = id
        self.rows = rows[...]
    }
}
