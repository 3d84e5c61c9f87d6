/// What one look into the index has found of the chunks that a reader will come to next.
///
/// It may be old: whoever takes a row from it believes nothing but bytes that fit its checksum.
public struct ChunksAhead: Sendable {
    /// So many rows are looked up at once.
    static let count = 16

    private var video: Int64?
    private var rows: ArraySlice<IndexRow> = []

    /// Knows of no chunks yet.
    public init() {}

    /// The row of the chunk that holds a byte; nil when it is not known.
    mutating func row(ofVideo id: Int64, at offset: Int64) -> IndexRow? {
        guard video == id else { return nil }
        rows = rows.drop { $0.range.end <= offset }
        return rows.first.flatMap { $0.range.contains(offset) ? $0 : nil }
    }

    /// Takes in what was looked up.
    mutating func set(_ rows: [IndexRow], ofVideo id: Int64) {
        video = id
        self.rows = rows[...]
    }
}
