internal import GRDB

struct IndexRow: Hashable {
    var range: ByteRange
    var checksum: UInt64

    init(_ row: Row) throws {
        range = try SQLiteChunkStore.byteRange(row)
        checksum = UInt64(bitPattern: try row.value(2) as Int64)
    }
}

/// What tells a chunk's bytes from all others, also from those of another version.
struct ChunkKey: Hashable {
    /// The video's number, which is never given to other bytes.
    let video: Int64
    let row: IndexRow
}
