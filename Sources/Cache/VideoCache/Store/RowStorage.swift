internal import Foundation
internal import GRDB

/// Stores bytes in the rows of the database, so that SQLite's transactions cover them.
struct RowStorage {
    private static let find = RangeSearch.sql(
        """
        offset, length, checksum, bytes, (
            SELECT chunk_use.checksum FROM chunk_use
            WHERE chunk_use.video_id = chunk.video_id AND chunk_use.offset = chunk.offset)
        """, in: "chunk")
    private static let findRange = RangeSearch.sql("offset, length", in: "chunk")
    private static let insert = """
        INSERT INTO chunk (video_id, offset, length, checksum, bytes) VALUES (?, ?, ?, ?, ?)
        """

    let memory: MemoryTier?

    func insert(_ chunk: Chunk, ofVideo id: Int64, in db: Database) throws {
        guard let base = chunk.bytes.baseAddress else { return }
        // SQLite only reads the bytes, and only during the call: no copy is needed.
        let bytes = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: chunk.bytes.count,
            deallocator: .none)
        let checksum = Int64(bitPattern: chunk.checksum)
        try db.run(Self.insert, [id, chunk.offset, chunk.bytes.count, checksum, bytes])
    }

    /// The chunk at or after `offset` (C1); what the database cannot read counts as damaged (C5).
    func chunk(ofVideo id: Int64, from offset: Int64, in db: Database) throws -> StoredChunk? {
        let arguments: StatementArguments = ["video": id, "offset": offset]
        do {
            return try verifiedChunk(arguments, ofVideo: id, in: db)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return try Row.fetchOne(db, sql: Self.findRange, arguments: arguments).map {
                StoredChunk(range: try SQLiteChunkStore.byteRange($0), bytes: nil)
            }
        }
    }

    private func verifiedChunk(
        _ arguments: StatementArguments, ofVideo id: Int64, in db: Database
    ) throws -> StoredChunk? {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.find), arguments: arguments)
        guard let row = try rows.next() else { return nil }
        let found = try IndexRow(row)
        // The bytes are read with the row, so only the row's own checksum proves their offset.
        let expected = RowChecksum.ofChunk(id, found.range, checksum: found.checksum)
        guard (try? row.value(4)) == expected else {
            return StoredChunk(range: found.range, bytes: nil)
        }
        let key = ChunkKey(video: id, row: found)
        if let bytes = memory?.bytes(of: key) {
            return StoredChunk(range: found.range, bytes: bytes)
        }
        let bytes = try row.withUnsafeData(atIndex: 3) { data -> [UInt8]? in
            guard let data, Int64(data.count) == found.range.length,
                data.withUnsafeBytes(Checksum.xxh3) == found.checksum
            else { return nil }
            return [UInt8](data)
        }
        if let bytes { memory?.keep(bytes, of: key) }
        return StoredChunk(range: found.range, bytes: bytes)
    }
}
