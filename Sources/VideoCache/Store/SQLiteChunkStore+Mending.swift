internal import GRDB

/// The mending of what a disk or another program has damaged (C5).
///
/// Chunks are what counts; the cached ranges, the order of use and the total follow from them. Where
/// they do not, what is damaged is dropped, so that the next fetch brings it anew.
extension SQLiteChunkStore {
    private static let chunks = """
        SELECT chunk.offset, chunk.length, chunk.checksum, chunk_use.checksum
        FROM chunk LEFT JOIN chunk_use USING (video_id, offset)
        WHERE chunk.video_id = ? ORDER BY chunk.offset
        """
    private static let claims = """
        SELECT offset, length FROM cached_range WHERE video_id = ? ORDER BY offset
        """
    private static let deleteChunk = "DELETE FROM chunk WHERE video_id = ? AND offset IS ?"
    private static let deleteClaims = "DELETE FROM cached_range WHERE video_id = ?"
    private static let deleteUses = """
        DELETE FROM chunk_use WHERE NOT EXISTS (
            SELECT 1 FROM chunk
            WHERE chunk.video_id = chunk_use.video_id AND chunk.offset = chunk_use.offset)
        """
    private static let setTotal = """
        INSERT OR REPLACE INTO chunk_total (id, bytes)
        SELECT 1, CAST(MIN(MAX(TOTAL(length), 0), 1e18) AS INTEGER) FROM chunk
        """
    private static let insertClaim = """
        INSERT INTO cached_range (video_id, offset, length) VALUES (?, ?, ?)
        """

    /// What the rows of a video come to.
    private struct Inventory {
        /// What sound chunks hold.
        var held = ByteRangeSet()
        /// The offsets of rows that are damaged, or lie in another chunk, as they are stored.
        var damaged: [DatabaseValue] = []
        /// What counts as cached; nil where a row of that is damaged.
        var claimed: ByteRangeSet?

        /// What sound chunks hold, and does not count as cached.
        var unclaimed: ByteRangeSet {
            var rest = held
            for range in claimed?.ranges ?? [] { rest.remove(range) }
            return rest
        }

        /// The total of all videos' chunks, in bytes; nil where it is damaged.
        var total: Int64?

        var isInOrder: Bool {
            damaged.isEmpty && claimed == held && total.map { $0 >= held.byteCount } ?? false
        }
    }

    /// Puts the index of a video in order: looks at every row, and reads the bytes of chunks that do
    /// not count as cached.
    ///
    /// - Parameter video: the video.
    /// - Returns: what counted as cached before, and does not any more; nil where all was in order.
    /// - Throws: ``CacheError``, ``CacheError/notACache(path:reason:)`` where the database is damaged
    ///   beyond that.
    public func mend(_ video: CachedVideo) throws(CacheError) -> [ByteRange]? {
        do {
            guard try !access({ db in try inventory(of: video, in: db).isInOrder }), !isReadOnly
            else { return nil }
        } catch .notACache where !isReadOnly {
            // A row that cannot be read hides others, which a rebuilt table has again.
        }
        try rebuildWhereBroken()
        let found = try access { db in try inventory(of: video, in: db) }
        let unsound = try unsoundChunks(of: video, among: found.unclaimed)
        let lost = try change { change in
            try expectUnchanged(video, in: change.db)
            let before = try inventory(of: video, in: change.db)
            for offset in before.damaged {
                try change.db.execute(
                    sql: Self.deleteChunk, arguments: [video.id, offset])
            }
            var held = before.held
            // What was stored anew meanwhile is claimed by now.
            for range in unsound.ranges where before.unclaimed.contains(range) {
                held.remove(range)
            }
            try change.db.execute(sql: Self.deleteClaims, arguments: [video.id])
            for range in held.ranges {
                try change.db.execute(
                    sql: Self.insertClaim, arguments: [video.id, range.offset, range.length])
            }
            try change.db.execute(sql: Self.deleteUses)
            try Self.restoreTotal(in: change.db)
            change.free(.everywhere, ofVideo: video.id)
            var lost = before.claimed ?? ByteRangeSet()
            for range in held.ranges { lost.remove(range) }
            return lost.ranges
        }
        for range in unsound.ranges { try discard(range, of: video) }
        observer.mended(video.url, lost: lost)
        return lost
    }

    /// Those of some chunks whose bytes do not fit them, or cannot be read.
    private func unsoundChunks(
        of video: CachedVideo, among chunks: ByteRangeSet
    ) throws(CacheError) -> ByteRangeSet {
        var unsound = ByteRangeSet()
        for range in chunks.ranges {
            var position = range.offset
            while position < range.end {
                var ahead = ChunksAhead()
                let chunk: StoredChunk?
                do {
                    chunk = try storage.chunk(
                        ofVideo: video.id, from: position, index: self, ahead: &ahead)
                } catch .notACache {
                    chunk = StoredChunk(
                        range: ByteRange(from: position, to: range.end), bytes: nil)
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
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: Self.chunks), arguments: [video.id])
        while let row = try rows.next() {
            guard let chunk = try? IndexRow(row), chunk.range.length > 0,
                chunk.range.offset >= end, chunk.range.end <= length,
                (try? row.value(3))
                    == RowChecksum.ofChunk(video.id, chunk.range, checksum: chunk.checksum)
            else {
                inventory.damaged.append(row[0])
                continue
            }
            end = chunk.range.end
            inventory.held.insert(chunk.range)
        }
        let claims = try Row.fetchAll(
            db.cachedStatement(sql: Self.claims), arguments: [video.id])
        let ranges = claims.compactMap { try? Self.byteRange($0) }
        let isReadable = ranges.count == claims.count && ranges.allSatisfy { $0.length > 0 }
        // Ranges that touch or overlap would count twice.
        let claimed = ByteRangeSet(ranges)
        inventory.claimed = isReadable && claimed.ranges == ranges ? claimed : nil
        inventory.total = try Row.fetchOne(db, sql: "SELECT bytes FROM chunk_total")
            .flatMap { try? $0.value(0) }
        return inventory
    }

    /// Counts the bytes of all chunks anew.
    static func restoreTotal(in db: Database) throws { try db.execute(sql: setTotal) }

    /// Does something once more where damage kept it from being done, and could be mended.
    ///
    /// - Parameters:
    ///   - video: the only video that it concerns; nil where it may be any.
    ///   - body: what is to be done.
    /// - Returns: what the body returned.
    /// - Throws: what the body threw, where there was nothing to mend.
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

    /// Rebuilds the database's indices, all of it, or the order of use, where they are damaged, and
    /// not only what is in them.
    ///
    /// By a damaged index rows are not found that are there, and saved twice. It is looked at only
    /// when damage was found: all pages have to be read.
    ///
    /// - Throws: ``CacheError/notACache(path:reason:)`` where none of that helps: what is saved then
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

    /// What SQLite finds when it reads all pages.
    private static func isSound(_ db: Database) throws -> Bool {
        do {
            return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
    }

    /// Writes the order of use anew, with the rows of it that can be read.
    ///
    /// By one row that cannot, others are not found by their keys, and no remedy of SQLite's own
    /// gets past it. A chunk whose row is lost counts as damaged.
    private static func renewUses(_ db: Database) throws {
        var rows: [[DatabaseValue]: [DatabaseValue]] = [:]
        // From both ends up to what cannot be read.
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

    /// Drops the videos whose rows are damaged: nobody knows whose their chunks are.
    func dropDamagedVideos() throws(CacheError) {
        do {
            let damaged: [Int64] = try access { db in
                try Row.fetchAll(db, sql: allVideos).filter { video($0) == nil }
                    .compactMap { try? $0.value(0) }
            }
            guard !damaged.isEmpty else { return }
            try change { change in
                for id in damaged { try Self.delete(id, in: change) }
            }
            observer.mended(nil, lost: [])
        } catch .notACache {
            // What the damaged database cannot delete stays, and is not there for anyone.
            return
        }
    }
}
