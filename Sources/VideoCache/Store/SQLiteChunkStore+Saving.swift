internal import Foundation
internal import GRDB

extension SQLiteChunkStore {
    private static let overlapping = """
        SELECT offset, length FROM cached_range
        WHERE video_id = ? AND offset <= ? AND offset + length >= ? ORDER BY offset
        """
    private static let insertChunk = """
        INSERT INTO chunk (video_id, offset, length, checksum, bytes) VALUES (?, ?, ?, ?, ?)
        """
    private static let insertRange = """
        INSERT INTO cached_range (video_id, offset, length) VALUES (?, ?, ?)
        """
    private static let insertVideo = """
        INSERT INTO video (url, length, mime_type, accepts_ranges, etag, last_modified)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (url) DO UPDATE SET
            length = excluded.length, mime_type = excluded.mime_type,
            accepts_ranges = excluded.accepts_ranges, etag = excluded.etag,
            last_modified = excluded.last_modified
        RETURNING id
        """
    private static let deleteChunks = """
        DELETE FROM chunk
        WHERE video_id = ? AND offset < ? AND offset + length > ?
        RETURNING offset, length
        """
    private static let findChunks = """
        SELECT offset, length FROM chunk
        WHERE video_id = ? AND offset < ? AND offset + length > ?
        """
    private static let deleteRange = "DELETE FROM cached_range WHERE video_id = ? AND offset = ?"

    /// Stores what the origin says about a video, in one committed transaction (C3).
    ///
    /// Chunks of bytes that cannot be the same go with the facts that they contradict.
    public func store(
        _ information: ContentInformation, url: String
    ) throws(CacheError) -> CachedVideo {
        try transaction { db in
            if let held = try Self.video(url: url, in: db),
                held.information.contradicts(information)
            {
                try Self.delete(held, in: db)
            }
            return try insert(information, url: url, in: db)
        }
    }

    private func insert(
        _ information: ContentInformation, url: String, in db: Database
    ) throws -> CachedVideo {
        let id = try Int64.fetchOne(
            db, sql: Self.insertVideo,
            arguments: [
                url, information.length, information.mimeType, information.acceptsRanges,
                information.etag, information.lastModified,
            ])
        guard let id else {
            throw CacheError.inputOutput(path: path, reason: "the video got no number")
        }
        return CachedVideo(id: id, url: url, information: information)
    }

    /// Stores chunks in one transaction, which has been committed when the call returns (B5).
    public func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let stored = try transaction { db in
            try Self.expectUnchanged(video, in: db)
            return try chunks.reduce(0) { try $0 + Self.save($1, of: video, in: db) }
        }
        logGrew(by: stored)
        return stored
    }

    /// Puts another version in a video's place, with its first chunks, in one transaction.
    public func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) throws(CacheError) -> (video: CachedVideo, stored: Int64) {
        let result = try transaction { db in
            try Self.expectUnchanged(old, in: db)
            try Self.delete(old, in: db)
            let new = try insert(information, url: old.url, in: db)
            let stored = try chunks.reduce(0) { try $0 + Self.save($1, of: new, in: db) }
            return (video: new, stored: stored)
        }
        logGrew(by: result.stored)
        return result
    }

    /// Throws when the video is no longer the one that was looked up: never stitch two versions.
    private static func expectUnchanged(_ video: CachedVideo, in db: Database) throws {
        guard let held = try Self.video(url: video.url, in: db), held.id == video.id else {
            throw CacheError.replaced(url: video.url)
        }
        let (now, then) = (held.information, video.information)
        // Another download of the same bytes may have found out how many they are.
        let isSameLength =
            now.length == then.length || (then.length == nil && then.strongETag != nil)
        let isSameDate = now.etag != nil || now.lastModified == then.lastModified
        guard now.etag == then.etag, isSameLength, isSameDate else {
            throw CacheError.replaced(url: video.url)
        }
    }

    private static func save(
        _ chunk: Chunk, of video: CachedVideo, in db: Database
    ) throws -> Int64 {
        let held = try ranges(touching: chunk.range, of: video, in: db)
        let gaps = ByteRangeSet(held).gaps(in: chunk.range)
        for gap in gaps {
            try insert(gap == chunk.range ? chunk : chunk.part(gap), of: video, in: db)
        }
        guard !gaps.isEmpty else { return 0 }
        try replace(held, with: ByteRangeSet(held + [chunk.range]).ranges, of: video, in: db)
        return gaps.reduce(0) { $0 + $1.length }
    }

    private static func insert(_ chunk: Chunk, of video: CachedVideo, in db: Database) throws {
        guard let base = chunk.bytes.baseAddress else { return }
        // SQLite only reads the bytes, and only during the call: no copy is needed.
        let bytes = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: chunk.bytes.count,
            deallocator: .none)
        try db.cachedStatement(sql: insertChunk).execute(arguments: [
            video.id, chunk.offset, chunk.bytes.count, Int64(bitPattern: chunk.checksum), bytes,
        ])
    }

    /// Drops every chunk that holds a byte of the range, with all its bytes, in one transaction.
    ///
    /// A chunk that the damaged database cannot even delete is no longer counted as cached, so
    /// that the next fetch meets the damage, and says so, instead of calling the video complete.
    public func discard(_ range: ByteRange, of video: CachedVideo) throws(CacheError) {
        do {
            try discard(range, of: video, sql: Self.deleteChunks)
        } catch .notACache {
            try discard(range, of: video, sql: Self.findChunks)
        }
    }

    private func discard(
        _ range: ByteRange, of video: CachedVideo, sql: String
    ) throws(CacheError) {
        try transaction { db in
            try Self.expectUnchanged(video, in: db)
            let rows = try Row.fetchAll(
                db, sql: sql, arguments: [video.id, range.end, range.offset])
            for dropped in ByteRangeSet(try rows.map { try Self.byteRange($0) } + [range]).ranges {
                let held = try Self.ranges(touching: dropped, of: video, in: db)
                var rest = ByteRangeSet(held)
                rest.remove(dropped)
                try Self.replace(held, with: rest.ranges, of: video, in: db)
            }
        }
    }

    /// Forgets a video with all its chunks.
    public func remove(_ video: CachedVideo) throws(CacheError) {
        try transaction { db in try Self.delete(video, in: db) }
    }

    private static func delete(_ video: CachedVideo, in db: Database) throws {
        try db.execute(sql: "DELETE FROM video WHERE id = ?", arguments: [video.id])
    }

    /// Forgets all videos, and gives their space on disk back.
    public func removeAll() throws(CacheError) {
        try transaction { db in try db.execute(sql: "DELETE FROM video") }
        // With nothing left this is quick; after removing one video it would rewrite the others.
        try access { db in try db.execute(sql: "VACUUM") }
        try checkpoint()
    }

    private static func ranges(
        touching range: ByteRange, of video: CachedVideo, in db: Database
    ) throws -> [ByteRange] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: overlapping), arguments: [video.id, range.end, range.offset])
        return try rows.map { try byteRange($0) }
    }

    private static func replace(
        _ old: [ByteRange], with new: [ByteRange], of video: CachedVideo, in db: Database
    ) throws {
        for range in old {
            try db.cachedStatement(sql: deleteRange).execute(arguments: [video.id, range.offset])
        }
        for range in new {
            try db.cachedStatement(sql: insertRange)
                .execute(arguments: [video.id, range.offset, range.length])
        }
    }
}

extension Chunk {
    /// The part of the chunk that lies in a range within it, with a checksum of its own.
    fileprivate func part(_ part: ByteRange) -> Self {
        let start = Int(part.offset - offset)
        return Self(
            offset: part.offset,
            bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(part.length)]))
    }
}
