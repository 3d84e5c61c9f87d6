internal import GRDB

extension SQLiteChunkStore {
    // Ranges neither overlap nor touch, so of those before the start only the last can reach it.
    private static let overlapping = """
        SELECT offset, length FROM cached_range
        WHERE \(RangeSearch.reaching(":start", in: "cached_range"))
            AND offset <= :end AND offset + length >= :start
        ORDER BY offset
        """
    static let insertRange = """
        INSERT INTO cached_range (video_id, offset, length) VALUES (?, ?, ?)
        """
    private static let insertVideo = """
        INSERT INTO video (
            url, length, mime_type, accepts_ranges, etag, last_modified, other_etags, compared,
            freshness)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (url) DO UPDATE SET
            length = excluded.length, mime_type = excluded.mime_type,
            accepts_ranges = excluded.accepts_ranges, etag = excluded.etag,
            last_modified = excluded.last_modified, other_etags = excluded.other_etags,
            compared = excluded.compared, freshness = excluded.freshness
        RETURNING id
        """
    private static let nextVideo = "SELECT seq + 1 FROM sqlite_sequence WHERE name = 'video'"
    private static let skipVideo = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'video'"
    private static let videoID = "SELECT id FROM video WHERE url = ?"
    private static let deleteChunks = "DELETE" + chunksIn + "RETURNING offset, length"
    private static let findChunks = "SELECT offset, length" + chunksIn
    private static let chunksIn = """
         FROM chunk
        WHERE \(RangeSearch.reaching(":start", in: "chunk"))
            AND offset < :end AND offset + length > :start

        """
    private static let deleteRange = "DELETE FROM cached_range WHERE video_id = ? AND offset = ?"

    /// Stores what the origin says (C3); if it contradicts the old version, its chunks are deleted.
    package func store(
        _ information: ContentInformation, url: String
    ) throws(CacheError) -> CachedVideo {
        try change { change in
            if let held = try video(url: url, in: change.db) {
                if held.information.contradicts(information) {
                    try Self.delete(held.id, in: change)
                }
            } else {
                // A damaged row does not say which bytes its chunks hold.
                try Int64.fetchAll(change.db, sql: Self.videoID, arguments: [url])
                    .forEach { try Self.delete($0, in: change) }
            }
            return try insert(information, url: url, in: change.db)
        }
    }

    private func insert(
        _ information: ContentInformation, url: String, in db: Database
    ) throws -> CachedVideo {
        try skipGivenNumbers(in: db)
        let id = try Int64.fetchOne(
            db, sql: Self.insertVideo,
            arguments: [
                url, information.length, information.mimeType, information.acceptsRanges,
                information.etag, information.lastModified,
                information.otherETags.isEmpty
                    ? nil : information.otherETags.joined(separator: "\n"),
                information.isComparedByBytes ? 1 : nil,
                information.freshness?.text,
            ])
        guard let id else {
            throw CacheError.inputOutput(path: path, reason: "the video got no number")
        }
        try db.run(SQLiteTables.setVideoChecksum, [RowChecksum.ofVideo(id, url, information), id])
        return CachedVideo(id: id, url: url, information: information)
    }

    /// Skips numbers that have a file already, where the next video gets one (B5).
    ///
    /// A process may have been killed when it had given the number to a version, in a commit that
    /// no other process has seen yet. If this change were killed too, that commit would come back
    /// with the bytes of this change in its file.
    private func skipGivenNumbers(in db: Database) throws {
        guard let files else { return }
        while let next = try Int64.fetchOne(db, sql: Self.nextVideo), files.data.hasFile(next) {
            try db.execute(sql: Self.skipVideo)
        }
    }

    package func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let (stored, hasSpace) = try mending { () throws(CacheError) in
            try change { change in
                try expectUnchanged(video, in: change.db)
                // This query is free inside the transaction; outside it would take three locks.
                return (try save(chunks, of: video, in: change), try hasSpareSpace(in: change.db))
            }
        }
        logGrew(by: logGrowth(for: stored))
        if hasSpace { giveBackSpace(steps: 1) }
        return stored
    }

    package func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) throws(CacheError) -> (video: CachedVideo, stored: Int64) {
        let result = try change { change in
            try expectUnchanged(old, in: change.db)
            try Self.delete(old.id, in: change)
            let new = try insert(information, url: old.url, in: change.db)
            return (video: new, stored: try save(chunks, of: new, in: change))
        }
        logGrew(by: logGrowth(for: result.stored))
        giveBackSpace(steps: 1)
        return result
    }

    private func save(
        _ chunks: [Chunk], of video: CachedVideo, in change: IndexChange
    ) throws -> Int64 {
        let ranges = chunks.map(\.range)
        // Written before the chunks, so that the chunks count as used later than earlier reads.
        try writeUses(in: change.db)
        if let capacity {
            let new = try Self.newBytes(ranges, of: video, in: change.db)
            let room = capacity - new
            try evict(to: room, keeping: ranges, of: video, in: change)
        }
        try change.log(ranges, ofVideo: video.id)
        let stored = try chunks.reduce(0) { try $0 + save($1, of: video, in: change.db) }
        if stored > 0 { try files?.flush(video: video.id) }
        return stored
    }

    static func newBytes(
        _ ranges: [ByteRange], of video: CachedVideo, in db: Database
    ) throws -> Int64 {
        try ByteRangeSet(ranges).ranges.reduce(0) { sum, range in
            let held = try self.ranges(touching: range, ofVideo: video.id, in: db)
            return sum + ByteRangeSet(held).gaps(in: range).byteCount
        }
    }

    /// The video as it is now; throws if it was cleared or replaced since it was looked up.
    @discardableResult
    func expectPresent(_ video: CachedVideo, in db: Database) throws -> CachedVideo {
        guard let held = try self.video(url: video.url, in: db), held.id == video.id else {
            throw CacheError.replaced(url: video.url)
        }
        return held
    }

    /// Throws if the video was replaced since it was looked up; two versions must never be mixed.
    private func expectUnchanged(_ video: CachedVideo, in db: Database) throws {
        let held = try expectPresent(video, in: db)
        let (now, then) = (held.information, video.information)
        // Another download of the same bytes may have learned their length.
        let isSameLength =
            now.length == then.length || (then.length == nil && then.strongETag != nil)
        // A date that turned out to name no version is dropped (``VideoVersion/agree(with:)``).
        let isSameDate =
            now.etag != nil || now.lastModified == nil || now.lastModified == then.lastModified
        guard now.etag == then.etag, isSameLength, isSameDate else {
            throw CacheError.replaced(url: video.url)
        }
    }

    private func save(_ chunk: Chunk, of video: CachedVideo, in db: Database) throws -> Int64 {
        let held = try Self.ranges(touching: chunk.range, ofVideo: video.id, in: db)
        let gaps = ByteRangeSet(held).gaps(in: chunk.range)
        for gap in gaps {
            let part = gap == chunk.range ? chunk : chunk.part(gap)
            if let files {
                try files.insert(part, ofVideo: video.id, in: db)
            } else {
                try rows.insert(part, ofVideo: video.id, in: db)
            }
            try SQLiteTables.setChecksum(
                ofChunk: gap, ofVideo: video.id, checksum: part.checksum, in: db)
        }
        guard !gaps.isEmpty else { return 0 }
        try Self.replace(
            held, with: ByteRangeSet(held + [chunk.range]).ranges, ofVideo: video.id, in: db)
        return gaps.byteCount
    }

    /// Drops every chunk that holds a byte of the range, as a whole, in one transaction.
    ///
    /// If the damaged database cannot delete a chunk, the chunk no longer counts as cached. Then
    /// the next fetch meets the damage and reports it, instead of calling the video complete.
    package func discard(_ range: ByteRange, of video: CachedVideo) throws(CacheError) {
        do {
            _ = try discard(of: video, sql: Self.deleteChunks) { _ in ByteRangeSet([range]) }
        } catch .notACache {
            _ = try discard(of: video, sql: Self.findChunks) { _ in ByteRangeSet([range]) }
        }
    }

    @discardableResult
    package func dropDamaged(
        in range: ByteRange, of video: CachedVideo
    ) throws(CacheError) -> [ByteRange] {
        // If this fails, the next fetch reports it, because it needs what is dropped here.
        try? rebuildWhereBroken()
        var lost: [ByteRange]
        do {
            lost = try discard(of: video, sql: Self.deleteChunks) { db in
                try damaged(in: range, of: video, in: db)
            }
        } catch .notACache {
            // After meeting a damaged page, a transaction may not even write elsewhere.
            try discard(range, of: video)
            lost = [range]
        }
        if !lost.isEmpty { observer.mended(video.url, lost: lost) }
        return lost
    }

    /// The part of a range that no sound chunk holds.
    private func damaged(
        in range: ByteRange, of video: CachedVideo, in db: Database
    ) throws(CacheError) -> ByteRangeSet {
        var damaged = ByteRangeSet([range])
        var position = range.offset
        let index = LockedIndex(db: db, path: path)
        while position < range.end {
            // No rows are kept ahead: a damaged chunk would be read once more.
            var ahead = ChunksAhead()
            guard
                let chunk = try self.chunk(
                    ofVideo: video.id, from: position, index: index, ahead: &ahead)
            else { break }
            if chunk.bytes != nil { damaged.remove(chunk.range) }
            position = chunk.range.end
        }
        return damaged
    }

    /// Drops chunks with bytes of the ranges that `find` returns; returns what counted as cached.
    private func discard(
        of video: CachedVideo, sql: String, _ find: (Database) throws -> ByteRangeSet
    ) throws(CacheError) -> [ByteRange] {
        try change { change in
            try expectPresent(video, in: change.db)
            var lost: [ByteRange] = []
            for range in try find(change.db).ranges {
                let rows = try Row.fetchAll(
                    change.db, sql: sql,
                    arguments: ["video": video.id, "end": range.end, "start": range.offset])
                let dropped = rows.compactMap { try? Self.byteRange($0) } + [range]
                for part in ByteRangeSet(dropped).ranges {
                    lost += try Self.ranges(touching: part, ofVideo: video.id, in: change.db)
                        .compactMap { $0.intersection(part) }
                    try Self.cut(part, ofVideo: video.id, in: change)
                }
            }
            return lost
        }
    }

    /// Removes a range from what counts as cached, and marks its bytes to be freed.
    static func cut(_ range: ByteRange, ofVideo id: Int64, in change: IndexChange) throws {
        let held = try ranges(touching: range, ofVideo: id, in: change.db)
        var rest = ByteRangeSet(held)
        rest.remove(range)
        try replace(held, with: rest.ranges, ofVideo: id, in: change.db)
        change.free(range, ofVideo: id)
    }

    private static func ranges(
        touching range: ByteRange, ofVideo id: Int64, in db: Database
    ) throws -> [ByteRange] {
        try db.rows(overlapping, ["video": id, "end": range.end, "start": range.offset])
            .map { try byteRange($0) }
    }

    private static func replace(
        _ old: [ByteRange], with new: [ByteRange], ofVideo id: Int64, in db: Database
    ) throws {
        for range in old { try db.run(deleteRange, [id, range.offset]) }
        for range in new { try db.run(insertRange, [id, range.offset, range.length]) }
    }
}

extension Chunk {
    /// The part of the chunk in a range within it, with a checksum of its own.
    fileprivate func part(_ part: ByteRange) -> Self {
        let start = Int(part.offset - offset)
        return Self(
            offset: part.offset,
            bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(part.length)]))
    }
}
