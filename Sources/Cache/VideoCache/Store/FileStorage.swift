internal import GRDB

/// Stores bytes in one sparse file per video; the database is the index.
///
/// Bytes are written before their row and freed after it, so a committed row has its bytes. Bytes
/// outside committed rows are orphaned: any holder of the write lock may free them.
struct FileStorage: ByteStorage {
    /// The data folder's name in the cache's folder.
    static let folderName = "data"
    private static let journalName = "journal"
    private static let find = ChunkSearch.sql(
        columns: "offset, length, checksum", limit: ChunksAhead.count)
    private static let insert = """
        INSERT INTO chunk (video_id, offset, length, checksum) VALUES (?, ?, ?, ?)
        """
    private static let chunksAround = """
        SELECT offset, length FROM chunk
        WHERE video_id = :video AND offset >= IFNULL((
            SELECT MAX(offset) FROM chunk WHERE video_id = :video AND offset <= :start), 0)
            AND offset <= IFNULL((
            SELECT MIN(offset) FROM chunk WHERE video_id = :video AND offset >= :end), :end)
        ORDER BY offset
        """
    private static let hasAnyChunk = "SELECT EXISTS (SELECT 1 FROM chunk)"
    // If others commit all the time, this many lookups of the same row are enough.
    private static let mostLooks = 16
    // Pages of the database that a save changes: index rows and their parent pages.
    private static let pagesPerSave: Int64 = 7

    let data: DataFolder
    let journal: IntentLog
    let system: FileSystem
    private let pageSize: Int

    /// Opens the files of a cache's folder.
    ///
    /// - Parameters:
    ///   - folder: the cache's folder.
    ///   - access: creates the data folder unless it is read-only.
    ///   - durability: what a commit must survive.
    ///   - pageSize: the size of the database's pages in bytes.
    ///   - system: how to recognize the files, and to sync them.
    /// - Throws: ``CacheError`` when the data folder cannot be created.
    init(
        folder: String, access: SQLiteChunkStore.Access, durability: Durability,
        pageSize: Int, system: FileSystem
    ) throws(CacheError) {
        self.pageSize = pageSize
        self.system = system
        data = DataFolder(path: "\(folder)/\(Self.folderName)", system: system)
        if access != .readOnly { try data.create() }
        journal = try IntentLog(
            path: "\(data.path)/\(Self.journalName)", durability: durability,
            isWritten: access != .readOnly, system: system)
    }

    func leftovers(atLaunch: Bool, in db: Database) throws -> (trust: Trust, doubt: Doubt) {
        let entry = try journal.read()
        guard let entry, entry.tellsAll(atLaunch: atLaunch) else {
            // It is unknown what was written last, so every file has to be examined.
            let isAnything = !data.videos().isEmpty
            return (try trust(after: entry, in: db), Doubt(isEverything: isAnything))
        }
        let ranges = try entry.doubt.ranges.filter {
            try !gaps(touching: $0.range, ofVideo: $0.video, in: db).isEmpty
        }
        return (entry.trust, Doubt(ranges: ranges))
    }

    /// How far rows can be trusted; without chunks, none can have lost its bytes.
    private func trust(after entry: IntentLog.Entry?, in db: Database) throws -> Trust {
        if let entry, entry.trust != .none { return entry.trust }
        let hasChunks = try Bool.fetchOne(db, sql: Self.hasAnyChunk) ?? true
        return hasChunks || !canDetectReboot ? .none : .thisLife
    }

    func free(_ doubt: Doubt, in db: Database) throws {
        // A different note is another writer's; its unseen commit may be in the same gaps.
        guard let entry = try journal.read(), entry.doubt.isSame(as: doubt) else { return }
        let everything = doubt.isEverything ? data.videos() : []
        for video in everything { try free(.everywhere, ofVideo: video, in: db) }
        for (video, range) in doubt.ranges { try free(range, ofVideo: video, in: db) }
        _ = try announce(Doubt(), trust: entry.trust, changesRows: false)
    }

    /// Frees whole gaps, so that blocks shared by two freed chunks are freed too.
    private func free(_ range: ByteRange, ofVideo video: Int64, in db: Database) throws {
        for gap in try gaps(touching: range, ofVideo: video, in: db) {
            if gap == .everywhere {
                try data.remove(video: video)
            } else {
                try data.free(gap, of: video)
            }
        }
    }

    /// The gaps before, between and after chunks that touch the range.
    private func gaps(
        touching range: ByteRange, ofVideo video: Int64, in db: Database
    ) throws -> [ByteRange] {
        // Uses a cursor: there may be a million rows.
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: Self.chunksAround),
            arguments: ["video": video, "start": range.offset, "end": range.end])
        var gaps: [ByteRange] = []
        var position: Int64 = 0
        func close(at end: Int64) {
            guard end > position else { return }
            let gap = ByteRange(from: position, to: end)
            if gap.overlaps(range) { gaps.append(gap) }
        }
        while let row = try rows.next() {
            // A damaged row counts as absent.
            guard let chunk = try? SQLiteChunkStore.byteRange(row) else { continue }
            close(at: chunk.offset)
            position = max(position, chunk.end)
        }
        close(at: Int64.max)
        return gaps
    }

    func insert(_ chunk: Chunk, ofVideo id: Int64, in db: Database) throws {
        guard !chunk.bytes.isEmpty else { return }
        // The row first: if a row exists, the insert fails before that row's bytes are overwritten.
        try db.cachedStatement(sql: Self.insert).execute(arguments: [
            id, chunk.offset, chunk.bytes.count, Int64(bitPattern: chunk.checksum),
        ])
        try data.write(chunk.bytes, at: chunk.offset, of: id)
    }

    func flush(video id: Int64) throws {
        if journal.durability == .power { try data.flush(video: id) }
    }

    /// Reads the bytes outside the index transaction, so they may be freed in between.
    ///
    /// So if the bytes do not match the row's checksum, the row is looked up again. If it is gone,
    /// it was evicted. If it is still there, it is damaged only if nothing was committed since the
    /// first lookup; otherwise it may have been evicted, stored and evicted again. Bytes that match
    /// belong to the video even if the lookup was long ago: a video's number is never reused for
    /// other bytes.
    func chunk(
        ofVideo id: Int64, from offset: Int64, index: any IndexAccess, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        if let row = ahead.row(ofVideo: id, at: offset), let bytes = try bytes(of: row, video: id) {
            return StoredChunk(range: row.range, bytes: bytes)
        }
        var unfit: (row: IndexRow, state: IndexState?)?
        var look = 0
        while true {
            look += 1
            // The state is queried only after validation has failed; sound chunks do not need it.
            let (state, rows) = try index.access { db in
                let state = look == 1 ? nil : try IndexState(of: db)
                return (state, try Self.rows(ofVideo: id, from: offset, in: db))
            }
            ahead.set(rows, ofVideo: id)
            guard let row = rows.first else { return nil }
            let isStill = unfit?.row == row && (unfit?.state == state || look > Self.mostLooks)
            if state != nil, isStill { return StoredChunk(range: row.range, bytes: nil) }
            if let bytes = try bytes(of: row, video: id) {
                return StoredChunk(range: row.range, bytes: bytes)
            }
            unfit = (row, state)
        }
    }

    /// A chunk's bytes; nil if they do not match the row.
    private func bytes(of row: IndexRow, video id: Int64) throws(CacheError) -> [UInt8]? {
        guard let bytes = try data.read(row.range, of: id),
            bytes.withUnsafeBytes(Checksum.xxh3) == row.checksum
        else { return nil }
        return bytes
    }

    private static func rows(
        ofVideo id: Int64, from offset: Int64, in db: Database
    ) throws -> [IndexRow] {
        let found = try Row.fetchCursor(
            db.cachedStatement(sql: find), arguments: ["video": id, "offset": offset])
        guard let first = try found.next() else { return [] }
        var rows = [try IndexRow(first)]
        // Damaged rows further on do not affect this chunk.
        while let row = try? found.next(), let next = try? IndexRow(row) { rows.append(next) }
        return rows
    }

    func logBytes(for bytes: Int64) -> Int64 {
        Self.pagesPerSave * Int64(pageSize)
    }

    var diskBytes: Int64 { data.diskBytes }
}

/// Identifies the commits that a connection has seen; equal states mean no commit in between.
private struct IndexState: Equatable {
    /// Changes with every commit of another connection.
    private let others: Int
    /// Changes with every row that this connection changes.
    private let own: Int

    init(of db: Database) throws {
        others = try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
        own = db.totalChangesCount
    }
}

/// The index entry of a chunk's bytes.
struct IndexRow: Equatable {
    var range: ByteRange
    var checksum: UInt64

    /// Takes the offset, the length and the checksum from a row's first columns.
    init(_ row: Row) throws {
        range = try SQLiteChunkStore.byteRange(row)
        checksum = UInt64(bitPattern: try row.value(2) as Int64)
    }
}
