internal import GRDB

extension SQLiteChunkStore {
    private static let rangeFrom = """
        SELECT offset, length FROM cached_range
        WHERE video_id = :video AND offset >= IFNULL((
            SELECT MAX(offset) FROM cached_range WHERE video_id = :video AND offset <= :offset), 0)
            AND offset + length > :offset
        ORDER BY offset LIMIT 1
        """
    private static let allVideos = """
        SELECT id, url, length, mime_type, accepts_ranges, etag, last_modified FROM video
        """
    private static let oneVideo = allVideos + " WHERE url = ?"
    private static let allRanges = """
        SELECT offset, length FROM cached_range WHERE video_id = ? ORDER BY offset
        """

    /// All videos, in the order they came.
    public func videos() throws(CacheError) -> [CachedVideo] {
        try access { db in
            try Row.fetchAll(db, sql: Self.allVideos + " ORDER BY id")
                .map { Self.video($0) }
        }
    }

    /// The video under an address; nil when none is known.
    public func video(url: String) throws(CacheError) -> CachedVideo? {
        try access { db in try Self.video(url: url, in: db) }
    }

    static func video(url: String, in db: Database) throws -> CachedVideo? {
        try Row.fetchOne(db.cachedStatement(sql: oneVideo), arguments: [url]).map { video($0) }
    }

    private static func video(_ row: Row) -> CachedVideo {
        CachedVideo(
            id: row[0], url: row[1],
            information: ContentInformation(
                length: row[2], mimeType: row[3], acceptsRanges: row[4], etag: row[5],
                lastModified: row[6]))
    }

    /// The range in a row's first two columns, which some other program may have written.
    static func byteRange(_ row: Row) throws -> ByteRange {
        let (offset, length): (Int64, Int64) = (row[0], row[1])
        guard offset >= 0, length >= 0, !offset.addingReportingOverflow(length).overflow else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "impossible range")
        }
        return ByteRange(offset: offset, length: length)
    }

    /// Which bytes of a video are there; reads no chunk.
    public func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        try access { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: Self.allRanges), arguments: [video.id])
            return ByteRangeSet(try rows.map { try Self.byteRange($0) })
        }
    }

    /// The cached range that holds the byte at `offset`, or the first one after it.
    public func cachedRange(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> ByteRange? {
        try access { db in
            try Row.fetchOne(
                db.cachedStatement(sql: Self.rangeFrom),
                arguments: ["video": video.id, "offset": offset]
            ).map { try Self.byteRange($0) }
        }
    }

    /// How many chunks of a video there are; looks at each one's row, but reads no bytes.
    public func chunkCount(of video: CachedVideo) throws(CacheError) -> Int {
        try access { db in
            try Int.fetchOne(
                db, sql: "SELECT SUM(length >= 0) FROM chunk WHERE video_id = ?",
                arguments: [video.id]) ?? 0
        }
    }

    /// How many bytes of all videos are there; reads no chunk.
    public func cachedBytes() throws(CacheError) -> Int64 {
        try access { db in
            try Int64.fetchOne(db, sql: "SELECT SUM(length) FROM cached_range") ?? 0
        }
    }

    /// The chunk that holds the byte at `offset`, or the first one after it (C1, C5).
    public func chunk(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> StoredChunk? {
        var ahead = ChunksAhead()
        return try chunk(of: video, from: offset, ahead: &ahead)
    }

    /// The same, for one who reads on from there; saves looks into the index in files (C1).
    public func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        try storage.chunk(ofVideo: video.id, from: offset, index: self, ahead: &ahead)
    }
}
