internal import GRDB
internal import Synchronization

extension SQLiteChunkStore {
    private static let rangeFrom = RangeSearch.sql("offset, length", in: "cached_range")
    static let allRanges = """
        SELECT offset, length FROM cached_range WHERE video_id = ? ORDER BY offset
        """

    /// All videos, in the order in which they were added, except those with a damaged row.
    package func videos() throws(CacheError) -> [CachedVideo] {
        try access { db in
            try Row.fetchAll(db, sql: SQLiteTables.videos + " ORDER BY id").compactMap { video($0) }
        }
    }

    /// The video under an address; nil if it is unknown or its row is damaged, or if the database
    /// was removed: then its files are, too.
    package func video(url: String) throws(CacheError) -> CachedVideo? {
        guard isInPlace else { return nil }
        return try access { db in try video(url: url, in: db) }
    }

    func video(url: String, in db: Database) throws -> CachedVideo? {
        try Row.fetchOne(
            db.cachedStatement(sql: SQLiteTables.videos + " WHERE url = ?"), arguments: [url]
        ).flatMap { video($0) }.flatMap { $0.url == url ? $0 : nil }
    }

    func video(_ row: Row) -> CachedVideo? {
        guard let (id, url, information) = try? SQLiteTables.video(row),
            (try? row.value(10)) == RowChecksum.ofVideo(id, url, information)
        else { return nil }
        return CachedVideo(id: id, url: url, information: information)
    }

    /// The range in a row's first two columns, validated: another program may have written the row.
    static func byteRange(_ row: Row) throws -> ByteRange {
        let (offset, length): (Int64, Int64) = (try row.value(0), try row.value(1))
        guard offset >= 0, length >= 0, !offset.addingReportingOverflow(length).overflow else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "impossible range")
        }
        return ByteRange(offset: offset, length: length)
    }

    package func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        try access { db in
            let rows = try db.rows(Self.allRanges, [video.id])
            // Damaged rows are left out; ``mend(_:)`` repairs them.
            var ranges = ByteRangeSet(rows.compactMap { try? Self.byteRange($0) })
            if let length = video.information.length {
                ranges.remove(ByteRange(from: length, to: .max))
            }
            return ranges
        }
    }

    package func cachedRange(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> ByteRange? {
        try mending(video) { () throws(CacheError) -> ByteRange? in
            guard isInPlace else { return nil }
            return try access { db in
                try Row.fetchOne(
                    db.cachedStatement(sql: Self.rangeFrom),
                    arguments: ["video": video.id, "offset": offset]
                ).map { try Self.byteRange($0) }
            }
        }
    }

    /// The number of chunks of a video; reads no bytes, but detects unreadable rows.
    package func chunkCount(of video: CachedVideo) throws(CacheError) -> Int {
        try access { db in
            try Int.fetchOne(
                db, sql: "SELECT SUM(length >= 0) FROM chunk WHERE video_id = ?",
                arguments: [video.id]) ?? 0
        }
    }

    package func cachedBytes() throws(CacheError) -> Int64 {
        try access { db in
            try Int64.fetchOne(db, sql: "SELECT SUM(length) FROM cached_range") ?? 0
        }
    }

    /// The chunk at or after `offset`, for sequential reads; saves lookups for files (C1, C5).
    package func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        let found = try mending(video) { () throws(CacheError) -> StoredChunk? in
            try chunk(ofVideo: video.id, from: offset, index: self, ahead: &ahead)
        }
        // The files of a database that was removed are gone, and not damaged.
        return found?.bytes == nil && !isInPlace ? nil : found
    }

    /// The chunk that holds the byte at `offset`, or the first one after it.
    func chunk(
        ofVideo id: Int64, from offset: Int64, index: any IndexAccess, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        if let files {
            ahead.expire(after: readers.drops)
            return try files.chunk(ofVideo: id, from: offset, index: index, ahead: &ahead)
        }
        return try index.access { db in try rows.chunk(ofVideo: id, from: offset, in: db) }
    }

    private static let withBytes = """
        SELECT offset FROM chunk WHERE video_id = ? AND LENGTH(bytes) = length
        """

    /// How many chunks of a video the index says are there, and which of them are (F5).
    ///
    /// Compares no bytes. What counts as cached without a row is one chunk that is not there.
    package func countChunks(
        of video: CachedVideo
    ) throws(CacheError) -> (recorded: Int, found: [ByteRange]) {
        let lost = lostAtLaunch.withLock { $0.removeValue(forKey: video.id) } ?? 0
        let (rows, sound, claims) = try access { db in
            let rows = try db.rows(Self.chunks, [video.id])
            var sound = rows.compactMap { soundRange($0, of: video) }
            if files == nil {
                let whole = Set(
                    try Row.fetchAll(db, sql: Self.withBytes, arguments: [video.id])
                        .compactMap { try? $0.value(0) as Int64 })
                sound.removeAll { !whole.contains($0.offset) }
            }
            let claims = try db.rows(Self.allRanges, [video.id])
            return (rows, sound, claims.compactMap { try? Self.byteRange($0) })
        }
        let held = ByteRangeSet(rows.compactMap { try? Self.byteRange($0) })
        let recorded = rows.count + claims.flatMap { held.gaps(in: $0) }.count + lost
        guard let files else { return (recorded, sound) }
        let hollow = Set(try files.data.hollow(sound, of: video.id))
        return (recorded, sound.filter { !hollow.contains($0) })
    }

    /// The range of a chunk's row; nil if the row is damaged.
    func soundRange(_ row: Row, of video: CachedVideo) -> ByteRange? {
        guard let chunk = try? IndexRow(row) else { return nil }
        let checksum = RowChecksum.ofChunk(video.id, chunk.range, checksum: chunk.checksum)
        return (try? row.value(3)) == checksum ? chunk.range : nil
    }
}
