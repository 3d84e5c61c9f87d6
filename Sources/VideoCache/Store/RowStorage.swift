internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Bytes in the rows of the database, which takes care of everything.
struct RowStorage: ByteStorage {
    private static let find = ChunkSearch.sql(columns: "offset, length, checksum, rowid")
    private static let findRange = ChunkSearch.sql(columns: "offset, length")
    private static let insert = """
        INSERT INTO chunk (video_id, offset, length, checksum, bytes) VALUES (?, ?, ?, ?, ?)
        """

    // Pages that a save changes beside those of the bytes: index rows and what leads to them.
    private static let pagesPerSave: Int64 = 6

    func settle(atLaunch: Bool, in db: Database) {}

    func announce(_ doubt: Doubt) {}

    func flush(video id: Int64) {}

    func trust() -> Trust { .synced }

    var knowsItsLife: Bool { true }

    func vouch() {}

    func sync(log: String) {}

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

    /// Bytes that the database itself cannot read any more count as damaged (C5).
    func chunk(
        ofVideo id: Int64, from offset: Int64, index: any IndexAccess, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        let arguments: StatementArguments = ["video": id, "offset": offset]
        return try index.access { db in
            do {
                return try Self.verifiedChunk(arguments, in: db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                return try Row.fetchOne(db, sql: Self.findRange, arguments: arguments).map {
                    StoredChunk(range: try SQLiteChunkStore.byteRange($0), bytes: nil)
                }
            }
        }
    }

    private static func verifiedChunk(
        _ arguments: StatementArguments, in db: Database
    ) throws -> StoredChunk? {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: find), arguments: arguments)
        guard let row = try rows.next() else { return nil }
        let range = try SQLiteChunkStore.byteRange(row)
        let checksum = UInt64(bitPattern: row[2] as Int64)
        // The statement is not at its end yet, so that this is the row it has found.
        let bytes = try bytes(ofRow: row[3], count: range.length, in: db).flatMap {
            $0.withUnsafeBytes(Checksum.xxh3) == checksum ? $0 : nil
        }
        return StoredChunk(range: range, bytes: bytes)
    }

    /// The bytes of a row, copied once, from the database's pages; nil where they are no such many.
    ///
    /// As a column's value they would be copied together first, and then once more.
    private static func bytes(
        ofRow id: Int64, count: Int64, in db: Database
    ) throws -> [UInt8]? {
        var blob: OpaquePointer?
        let opened = sqlite3_blob_open(
            db.sqliteConnection, "main", "chunk", "bytes", id, 0, &blob)
        defer { sqlite3_blob_close(blob) }
        // What some other program has written there need not be bytes.
        if opened == SQLITE_ERROR { return nil }
        try check(opened, db)
        guard Int64(sqlite3_blob_bytes(blob)) == count else { return nil }
        var read = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { memory, done in
            read = sqlite3_blob_read(blob, memory.baseAddress, Int32(memory.count), 0)
            done = read == SQLITE_OK ? memory.count : 0
        }
        try check(read, db)
        return bytes
    }

    private static func check(_ code: Int32, _ db: Database) throws {
        guard code != SQLITE_OK else { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }

    func logBytes(for bytes: Int64) -> Int64 {
        bytes + Self.pagesPerSave * Int64(SQLiteSchema.pageSize(.rows))
    }

    var diskBytes: Int64 { 0 }
}
