internal import Foundation
internal import GRDB

/// Stores bytes in one sparse file per video; the database is the index.
///
/// Bytes are written before their row and freed after it, so a committed row has its bytes. Bytes
/// outside committed rows are orphaned: any holder of the write lock may free them.
struct FileStorage {
    static let folderName = "data"
    static let logName = "journal"
    private static let find = RangeSearch.sql(
        "offset, length, checksum", in: "chunk", limit: ":count")
    private static let insert = """
        INSERT INTO chunk (video_id, offset, length, checksum) VALUES (?, ?, ?, ?)
        """
    private static let allRows = """
        SELECT offset, length, checksum FROM chunk WHERE video_id = ? ORDER BY offset
        """
    private static let chunksAround = """
        SELECT offset, length FROM chunk
        WHERE \(RangeSearch.reaching(":start", in: "chunk"))
            AND offset <= IFNULL((
            SELECT MIN(offset) FROM chunk WHERE video_id = :video AND offset >= :end), :end)
        ORDER BY offset
        """
    private static let hasAnyChunk = "SELECT EXISTS (SELECT 1 FROM chunk)"
    // If others commit all the time, this many lookups of the same row are enough.
    private static let mostLooks = 16

    let data: DataFolder
    let log: IntentLog
    private let system: FileSystem
    private let memory: MemoryTier?
    /// Nil with a tier in memory, which keeps whole chunks, so that whole ones are read.
    private let verified: VerifiedChunks?

    init(
        folder: String, access: CacheAccess, durability: Durability,
        system: FileSystem, memory: MemoryTier? = nil
    ) throws(CacheError) {
        (self.system, self.memory) = (system, memory)
        verified = memory == nil ? VerifiedChunks() : nil
        data = DataFolder(path: "\(folder)/\(Self.folderName)", system: system)
        if access != .readOnly { try data.create() }
        log = try IntentLog(
            path: "\(data.path)/\(Self.logName)", durability: durability,
            isWritten: access != .readOnly, system: system)
    }

    /// What earlier writers left: how far rows can be trusted, and which extents may be orphaned.
    ///
    /// Extents that chunks cover are not, unless rows were deleted: that commit may be unseen, and
    /// WAL recovery brings it back.
    func unresolved(
        atLaunch: Bool, isInDoubt: Bool, generation: Int64, in db: Database
    ) throws -> (trust: Trust, intents: Intents) {
        let record = try log.read()
        guard !isInDoubt, !atLaunch || record.isOf(generation) else {
            return (.none, Intents(isEverything: true))
        }
        guard record.namesAll(atLaunch: atLaunch) else {
            // Without chunks, none can have lost its bytes.
            let hasChunks = try Bool.fetchOne(db, sql: Self.hasAnyChunk) ?? true
            return (
                record.trust == .none && !hasChunks ? .thisEpoch : record.trust,
                Intents(isEverything: try !data.videos().isEmpty)
            )
        }
        guard !record.intents.deletesRows else { return (record.trust, record.intents) }
        let extents = try record.intents.extents.filter { try !gaps(touching: $0, in: db).isEmpty }
        return (record.trust, Intents(extents: extents))
    }

    /// Frees what no committed row refers to, and logs that nothing is in doubt any more.
    ///
    /// No-op if another record was written since: its writer has taken over the extents, and frees
    /// them after a commit. The same extents do not prove the same record: they may have been
    /// resolved, and be those of another writer by now.
    ///
    /// Frees whole gaps, so that blocks shared by two freed chunks are freed too.
    ///
    /// The rows of what was logged were never committed, or another commit has overwritten theirs in
    /// the WAL. If this throws, the next writer frees the bytes.
    func free(
        _ intents: Intents, ofRecord number: UInt64, trust: Trust? = nil, in db: Database
    ) throws {
        // Another record's writer may have an unseen commit in the same gaps.
        let record = try log.read()
        guard record.number == number else { return }
        let videos = intents.isEverything ? try data.videos() : []
        for extent in videos.map({ Extent(video: $0, range: .everywhere) }) + intents.extents {
            for gap in try gaps(touching: extent, in: db) { try data.free(gap, of: extent.video) }
        }
        try log.write(
            Intents(), trust: trust ?? record.trust, generation: IndexChange.generation(in: db))
    }

    /// The gaps before, between and after chunks that touch the extent.
    private func gaps(touching extent: Extent, in db: Database) throws -> [ByteRange] {
        let range = extent.range
        // Uses a cursor: there may be a million rows.
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: Self.chunksAround),
            arguments: ["video": extent.video, "start": range.offset, "end": range.end])
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
        let checksum = Int64(bitPattern: chunk.checksum)
        try db.run(Self.insert, [id, chunk.offset, chunk.bytes.count, checksum])
        try data.write(chunk.bytes, at: chunk.offset, of: id)
    }

    /// Makes a video's new bytes as durable as the cache promises, before their rows are.
    func flush(video id: Int64) throws { if log.durability == .power { try data.flush(video: id) } }

    /// Waits until all written bytes and the WAL are on disk; needs no lock.
    func sync(wal: String) throws(CacheError) {
        try data.flush()
        if let file = try OpenFile.ifThere(wal, O_RDONLY) { try system.sync(file) }
    }

    /// The chunks that do not match their rows at a first look, in order: the caller looks again.
    func unfitChunks(ofVideo id: Int64, index: any IndexAccess) throws(CacheError) -> [ByteRange] {
        let rows = try index.access { db in
            try db.rows(Self.allRows, [id]).map { try IndexRow($0) }
        }
        var unfit: [ByteRange] = []
        for row in rows where try bytes(of: ChunkKey(video: id, row: row)) == nil {
            unfit.append(row.range)
        }
        return unfit
    }

    /// The chunk that holds the byte at `offset`, or the first one after it (C1, C5).
    ///
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
        let (end, drops) = (ahead.end, ahead.drops)
        if let known = verified?.chunk(at: offset, ofVideo: id), known.drops == drops,
            let part = try part(of: known, from: offset, until: end, ofVideo: id)
        {
            return part
        }
        func read(_ row: IndexRow) throws(CacheError) -> StoredChunk? {
            try chunk(row, from: offset, until: end, ofVideo: id, drops: drops)
        }
        if let row = ahead.row(ofVideo: id, at: offset), let chunk = try read(row) { return chunk }
        var unfit: (row: IndexRow, state: IndexState?)?
        var look = 0
        while true {
            look += 1
            // The state is queried only after validation has failed; sound chunks do not need it.
            let (state, rows) = try index.access { db in
                let state = look == 1 ? nil : try IndexState(of: db)
                return (
                    state,
                    try Self.rows(
                        ofVideo: id, from: offset, count: ahead.count(ofVideo: id), in: db)
                )
            }
            ahead.set(rows, ofVideo: id)
            guard let row = rows.first else { return nil }
            let isStill = unfit?.row == row && (unfit?.state == state || look > Self.mostLooks)
            if state != nil, isStill { return StoredChunk(range: row.range, bytes: nil) }
            if let chunk = try read(row) { return chunk }
            unfit = (row, state)
        }
    }

    /// The wanted part of a chunk that was verified; nil if that is all of it, or it has changed.
    private func part(
        of known: VerifiedChunks.Chunk, from offset: Int64, until end: Int64, ofVideo id: Int64
    ) throws(CacheError) -> StoredChunk? {
        guard let part = VerifiedChunks.part(of: known.row.range, from: offset, until: end),
            let bytes = try data.read(part, of: id), known.holds(bytes, at: part)
        else { return nil }
        return StoredChunk(range: part, bytes: bytes)
    }

    /// The whole chunk of a row, which is remembered if only a part of it is wanted; nil if its bytes
    /// do not match the row.
    private func chunk(
        _ row: IndexRow, from offset: Int64, until end: Int64, ofVideo id: Int64, drops: Int
    ) throws(CacheError) -> StoredChunk? {
        guard let bytes = try bytes(of: ChunkKey(video: id, row: row)) else { return nil }
        if let verified, VerifiedChunks.part(of: row.range, from: offset, until: end) != nil {
            verified.add(row, bytes, ofVideo: id, drops: drops)
        }
        return StoredChunk(range: row.range, bytes: bytes)
    }

    private func bytes(of key: ChunkKey) throws(CacheError) -> [UInt8]? {
        if let bytes = memory?.bytes(of: key) { return bytes }
        guard let bytes = try data.read(key.row.range, of: key.video),
            bytes.withUnsafeBytes(Checksum.xxh3) == key.row.checksum
        else { return nil }
        memory?.keep(bytes, of: key)
        return bytes
    }

    private static func rows(
        ofVideo id: Int64, from offset: Int64, count: Int, in db: Database
    ) throws -> [IndexRow] {
        let found = try Row.fetchCursor(
            db.cachedStatement(sql: find),
            arguments: ["video": id, "offset": offset, "count": count])
        guard let first = try found.next() else { return [] }
        var rows = [try IndexRow(first)]
        // Damaged rows further on do not affect this chunk.
        while let row = try? found.next(), let next = try? IndexRow(row) { rows.append(next) }
        return rows
    }
}

/// Runs lookups in the index, each in one snapshot.
protocol IndexAccess {
    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value
}

/// Runs lookups in the index within a transaction.
struct LockedIndex: IndexAccess {
    let db: Database
    let path: String

    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
        do {
            return try body(db)
        } catch {
            throw SQLiteChunkStore.cacheError(error, path: path)
        }
    }
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
