internal import Foundation
internal import GRDB

/// Stores bytes in the rows of the database, so that SQLite's transactions cover them.
struct RowStorage: ByteStorage {
    private static let find = ChunkSearch.sql(columns: "offset, length, checksum, bytes")
    private static let findWithChecksum = ChunkSearch.sql(
        columns: """
            offset, length, checksum, bytes, (
                SELECT chunk_use.checksum FROM chunk_use
                WHERE chunk_use.video_id = chunk.video_id AND chunk_use.offset = chunk.offset)
            """)
    private static let findRange = ChunkSearch.sql(columns: "offset, length")
    private static let insert = """
        INSERT INTO chunk (video_id, offset, length, checksum, bytes) VALUES (?, ?, ?, ?, ?)
        """

    // Pages that a save changes besides those of the bytes: index rows and their parent pages.
    private static let pagesPerSave: Int64 = 6

    /// The size of the database's pages in bytes.
    let pageSize: Int
    /// True if rows have checksums.
    let hasRowChecksums: Bool

    func leftovers(atLaunch: Bool, in db: Database) -> (trust: Trust, doubt: Doubt) {
        (.synced, Doubt())
    }

    func free(_ doubt: Doubt, in db: Database) {}

    func announce(_ doubt: Doubt, trust: Trust, changesRows: Bool) -> Trust { trust }

    func flush(video id: Int64) {}

    func standing() -> Standing { Standing(trust: .synced, isSettled: true) }

    var canDetectReboot: Bool { true }

    var leavesDoubt: Bool { false }

    func flush(log: String) {}

    func sync(log: String, doubt: Doubt) {}

    func unfitChunks(ofVideo id: Int64, index: any IndexAccess) -> [ByteRange] { [] }

    func insert(_ chunk: Chunk, ofVideo id: Int64, in db: Database) throws {
        guard let base = chunk.bytes.baseAddress else { return }
        // SQLite only reads the bytes, and only during the call: no copy is needed.
        let bytes = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: chunk.bytes.count,
            deallocator: .none)
        try db.cachedStatement(sql: Self.insert).execute(arguments: [
            id, chunk.offset, chunk.bytes.count, Int64(bitPattern: chunk.checksum), bytes,
        ])
    }

    /// Bytes that the database itself cannot read count as damaged (C5).
    func chunk(
        ofVideo id: Int64, from offset: Int64, index: any IndexAccess, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        let arguments: StatementArguments = ["video": id, "offset": offset]
        return try index.access { db in
            do {
                return try verifiedChunk(arguments, ofVideo: id, in: db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                return try Row.fetchOne(db, sql: Self.findRange, arguments: arguments).map {
                    StoredChunk(range: try SQLiteChunkStore.byteRange($0), bytes: nil)
                }
            }
        }
    }

    private func verifiedChunk(
        _ arguments: StatementArguments, ofVideo id: Int64, in db: Database
    ) throws -> StoredChunk? {
        let sql = hasRowChecksums ? Self.findWithChecksum : Self.find
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        guard let row = try rows.next() else { return nil }
        let found = try IndexRow(row)
        // The bytes are read with the row, so only the row's own checksum proves their offset.
        let expected = RowChecksum.ofChunk(id, found.range, checksum: found.checksum)
        guard !hasRowChecksums || (try? row.value(4)) == expected else {
            return StoredChunk(range: found.range, bytes: nil)
        }
        let bytes = try row.withUnsafeData(atIndex: 3) { data -> [UInt8]? in
            guard let data, Int64(data.count) == found.range.length,
                data.withUnsafeBytes(Checksum.xxh3) == found.checksum
            else { return nil }
            return [UInt8](data)
        }
        return StoredChunk(range: found.range, bytes: bytes)
    }

    func logBytes(for bytes: Int64) -> Int64 {
        bytes + Self.pagesPerSave * Int64(pageSize)
    }

    var diskBytes: Int64 { 0 }
}
