internal import GRDB

/// Repairs what a disk or another program has damaged (C5).
///
/// Chunks are the source of truth; the cached ranges, the order of use and the total derive from
/// them. Damaged rows are dropped, so that the next fetch downloads their bytes again.
extension SQLiteChunkStore {
    static let chunks = """
        SELECT chunk.offset, chunk.length, chunk.checksum, chunk_use.checksum
        FROM chunk LEFT JOIN chunk_use USING (video_id, offset)
        WHERE chunk.video_id = ? ORDER BY chunk.offset
        """
    private static let deleteClaims = "DELETE FROM cached_range WHERE video_id = ?"
    private static let deleteUses = """
        DELETE FROM chunk_use WHERE NOT EXISTS (
            SELECT 1 FROM chunk
            WHERE chunk.video_id = chunk_use.video_id AND chunk.offset = chunk_use.offset)
        """
    private static let setTotal = """
        INSERT INTO chunk_total (id, bytes)
        SELECT 1, CAST(MIN(MAX(TOTAL(length), 0), 1e18) AS INTEGER) FROM chunk WHERE TRUE
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes
        """

    private struct Inventory {
        var held = ByteRangeSet()
        /// The raw offsets of rows that are damaged, or overlap another chunk.
        var damaged: [DatabaseValue] = []
        /// What counts as cached; nil if one of those rows is damaged.
        var claimed: ByteRangeSet?

        /// The bytes in sound chunks that do not count as cached.
        var unclaimed: ByteRangeSet { held.subtracting(claimed ?? ByteRangeSet()) }

        /// The total of all videos' chunks, in bytes; nil if it is damaged.
        var total: Int64?

        var isInOrder: Bool {
            damaged.isEmpty && claimed == held && total.map { $0 >= held.byteCount } ?? false
        }
    }

    /// Repairs the index of a video: checks every row, and reads the bytes of chunks that do not
    /// count as cached; returns what no longer counts as cached, or nil if nothing was damaged.
    package func mend(_ video: CachedVideo) throws(CacheError) -> [ByteRange]? {
        do {
            guard try !access({ db in try inventory(of: video, in: db).isInOrder }), !isReadOnly
            else { return nil }
        } catch .notACache where !isReadOnly {
            // An unreadable row hides others; the rebuilt table contains them again.
        }
        try rebuildWhereBroken()
        let found = try access { db in try inventory(of: video, in: db) }
        let unsound = try unsoundChunks(of: video, among: found.unclaimed)
        let lost = try change { change in
            try expectPresent(video, in: change.db)
            let before = try inventory(of: video, in: change.db)
            for offset in before.damaged {
                try change.db.run(Self.deleteChunk, [video.id, offset])
            }
            var held = before.held
            // Bytes that were stored again meanwhile now count as cached.
            for range in unsound.ranges where before.unclaimed.contains(range) {
                held.remove(range)
            }
            try change.db.execute(sql: Self.deleteClaims, arguments: [video.id])
            for range in held.ranges {
                try change.db.run(Self.insertRange, [video.id, range.offset, range.length])
            }
            try change.db.execute(sql: Self.deleteUses)
            try Self.restoreTotal(in: change.db)
            change.free(.everywhere, ofVideo: video.id)
            return (before.claimed ?? ByteRangeSet()).subtracting(held).ranges
        }
        for range in unsound.ranges { try discard(range, of: video) }
        observer.mended(video.url, lost: lost)
        return lost
    }

    func unsoundChunks(
        of video: CachedVideo, among chunks: ByteRangeSet
    ) throws(CacheError) -> ByteRangeSet {
        var unsound = ByteRangeSet()
        for range in chunks.ranges {
            var position = range.offset
            while position < range.end {
                var ahead = ChunksAhead()
                let chunk: StoredChunk?
                do {
                    chunk = try self.chunk(
                        ofVideo: video.id, from: position, index: self, ahead: &ahead)
                } catch .notACache {
                    chunk = StoredChunk(range: ByteRange(from: position, to: range.end), bytes: nil)
                }
                guard let chunk else { break }
                if chunk.bytes == nil { unsound.insert(chunk.range) }
                position = max(position + 1, chunk.range.end)
            }
        }
        return unsound
    }

    private func inventory(of video: CachedVideo, in db: Database) throws -> Inventory {
        var inventory = Inventory()
        let length = video.information.length ?? .max
        var end: Int64 = 0
        let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.chunks), arguments: [video.id])
        while let row = try rows.next() {
            guard let chunk = soundRange(row, of: video), chunk.length > 0, chunk.offset >= end,
                chunk.end <= length
            else {
                inventory.damaged.append(row[0])
                continue
            }
            end = chunk.end
            inventory.held.insert(chunk)
        }
        let claims = try db.rows(Self.allRanges, [video.id])
        let ranges = claims.compactMap { try? Self.byteRange($0) }
        let isReadable = ranges.count == claims.count && ranges.allSatisfy { $0.length > 0 }
        // Ranges that touch or overlap would count bytes twice.
        let claimed = ByteRangeSet(ranges)
        inventory.claimed = isReadable && claimed.ranges == ranges ? claimed : nil
        inventory.total = try Row.fetchOne(db, sql: Self.total).flatMap { try? $0.value(0) }
        return inventory
    }

    static func restoreTotal(in db: Database) throws { try db.execute(sql: setTotal) }

    /// Retries an operation on a video, or any, that damage made fail, if that could be repaired.
    func mending<Value>(
        _ video: CachedVideo? = nil, _ body: () throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        do {
            return try body()
        } catch .notACache(let path, let reason) {
            var isMended = false
            let concerned = if let video { [video] } else { try videos() }
            for video in concerned where try mend(video) != nil { isMended = true }
            guard isMended else { throw .notACache(path: path, reason: reason) }
            return try body()
        }
    }

    /// Rebuilds the database's indices, the whole database, or the order of use, if their structure
    /// is damaged.
    ///
    /// With a damaged index, existing rows are not found, and are saved twice. The check runs only
    /// after damage was found, because it reads all pages.
    ///
    /// - Throws: ``CacheError/notACache(path:reason:)`` if none of that helps: what is saved then
    ///   may not be found again.
    func rebuildWhereBroken() throws(CacheError) {
        try access { db in
            let remedies: [(Database) throws -> Void] = [
                { try $0.execute(sql: "REINDEX") }, { try $0.execute(sql: "VACUUM") },
                Self.renewUses,
            ]
            for remedy in remedies {
                if try Self.isSound(db) { return }
                try? remedy(db)
            }
            guard try Self.isSound(db) else {
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT, message: "it is damaged beyond repair")
            }
        }
    }

    static func isSound(_ db: Database) throws -> Bool {
        do {
            return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
    }

    /// Rebuilds the order of use from the rows that can be read.
    ///
    /// One unreadable row keeps others from being found by their keys, and none of SQLite's own
    /// repairs gets past it. A chunk that loses its row counts as damaged.
    private static func renewUses(_ db: Database) throws {
        var rows: [[DatabaseValue]: [DatabaseValue]] = [:]
        // Reads from both ends up to the unreadable row.
        for order in ["ASC", "DESC"] {
            let cursor = try Row.fetchCursor(
                db,
                sql: """
                    SELECT video_id, offset, used, checksum FROM chunk_use
                    ORDER BY video_id \(order), offset \(order)
                    """)
            while let row = try? cursor.next() {
                rows[[row[0], row[1]]] = [row[2], row[3]]
            }
        }
        try db.inTransaction(.immediate) {
            try db.execute(sql: SQLiteTables.usesAnew)
            for (key, values) in rows {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO chunk_use VALUES (?, ?, ?, ?)",
                    arguments: StatementArguments(key + values))
            }
            return .commit
        }
    }

    /// Drops videos with damaged rows, because their chunks cannot be attributed.
    func dropDamagedVideos() throws(CacheError) {
        do {
            let damaged: [Int64] = try access { db in
                try Row.fetchAll(db, sql: SQLiteTables.videos).filter { video($0) == nil }
                    .compactMap { try? $0.value(0) }
            }
            guard !damaged.isEmpty else { return }
            try change { change in
                for id in damaged { try Self.delete(id, in: change) }
            }
            observer.mended(nil, lost: [])
        } catch .notACache {
            // What the damaged database cannot delete stays, but lookups skip it.
            return
        }
    }
}
