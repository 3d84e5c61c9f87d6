internal import GRDB
internal import Synchronization

extension SQLiteChunkStore {
    static let total = "SELECT bytes FROM chunk_total"
    private static let leastRecentlyUsed = """
        SELECT used, chunk_use.video_id, chunk_use.offset, chunk.length
        FROM chunk_use JOIN chunk USING (video_id, offset)
        WHERE (used, chunk_use.video_id, chunk_use.offset) > (:used, :video, :offset)
        ORDER BY used, chunk_use.video_id, chunk_use.offset LIMIT 32
        """
    private static let url = "SELECT url FROM video WHERE id = ?"
    // `IS`, because a damaged row may have no offset.
    static let deleteChunk = "DELETE FROM chunk WHERE video_id = ? AND offset IS ?"
    // Bounded on both sides; otherwise a save after a read would visit every earlier chunk.
    private static let noteUse = """
        UPDATE chunk_use SET used = (SELECT MAX(used) + 1 FROM chunk_use)
        WHERE video_id = :video AND offset < :end AND offset >= IFNULL((
            SELECT offset FROM chunk WHERE video_id = :video AND offset + length > :start
                AND offset = (
                    SELECT MAX(offset) FROM chunk WHERE video_id = :video AND offset <= :start)),
            :start)
        """
    // The number of bytes in free pages that are kept for the next saves.
    private static let keptFreeBytes: Int64 = 4 << 20
    /// 64 KB of an index, 1 MB of rows: a step blocks other writers no longer than a save does.
    static let pagesPerStep = 64
    /// The number of space-reclaiming steps at a close, which delay it; the next launch continues.
    static let stepsAtClose = 16

    /// True when bytes must be evicted before `bytes` new ones can be saved (C6).
    package func needsRoom(for bytes: Int64) throws(CacheError) -> Bool {
        guard let capacity else { return false }
        return try access { db in try Self.totalBytes(in: db) } > capacity - bytes
    }

    /// Evicts the least recently used chunks, so that chunks of these ranges can be saved (C6).
    ///
    /// `save` does this itself; a separate call lets the caller report the eviction as it runs.
    ///
    /// Chunks of them that are already stored are kept. If too much is being read, nothing is
    /// evicted, and ``CacheError/noRoom(path:capacity:)`` thrown.
    package func makeRoom(for ranges: [ByteRange], of video: CachedVideo) throws(CacheError) {
        guard let capacity else { return }
        try mending { () throws(CacheError) in
            try change { change in
                let new = try Self.newBytes(ranges, of: video, in: change.db)
                try evict(to: capacity - new, keeping: ranges, of: video, in: change)
            }
        }
    }

    /// Evicts what exceeds the capacity, in transactions short enough not to block other writers.
    func evictToCapacity() throws(CacheError) {
        guard let capacity else { return }
        var before = Int64.max
        while true {
            let excess = try access { db in try Self.totalBytes(in: db) } - capacity
            // Without progress the loop would never end.
            guard excess > 0, excess < before else { return }
            before = excess
            let step = min(excess, Self.checkpointLimit)
            do {
                try mending { () throws(CacheError) in
                    try change { change in
                        let total = try Self.totalBytes(in: change.db)
                        try evict(to: max(capacity, total - step), in: change)
                    }
                }
            } catch .noRoom {
                // A damaged database may be unable to delete a chunk; the cache can still be used.
                return
            }
            if checkpointIsDue { try checkpoint() }
        }
    }

    /// Evicts until at most `limit` bytes are left; the ranges, and what is being read, must remain.
    func evict(
        to limit: Int64, keeping ranges: [ByteRange] = [], of video: CachedVideo? = nil,
        in change: IndexChange
    ) throws {
        var total = try Self.totalBytes(in: change.db)
        guard total > limit else { return }
        let refusal = CacheError.noRoom(path: path, capacity: capacity ?? 0)
        guard limit >= 0 else { throw refusal }
        // Before the uses: a reader notes a use, then moves on. Read the other way round, bytes
        // that it used in between would be neither protected nor newly used.
        var kept = readers.beginEviction()
        try writeUses(in: change.db)
        if let video {
            for range in ranges { kept[video.id, default: ByteRangeSet()].insert(range) }
        }
        var victims: [Extent] = []
        // Raw values, because the search must get past damaged rows too.
        var last: [DatabaseValue] = [Int64.min, 0, 0].map(\.databaseValue)
        while true {
            let rows = try change.db.rows(
                Self.leastRecentlyUsed, ["used": last[0], "video": last[1], "offset": last[2]])
            guard !rows.isEmpty else {
                // The total may be damaged; it would then refuse every later save. After a chunk
                // that could not be deleted, nothing can be written.
                guard (try? Self.restoreTotal(in: change.db)) != nil,
                    try Self.totalBytes(in: change.db) <= limit
                else { throw refusal }
                return try announce(victims, in: change.db)
            }
            for row in rows {
                last = [row[0], row[1], row[2]]
                guard let video: Int64 = try? row.value(1), let offset: Int64 = try? row.value(2),
                    let length: Int64 = try? row.value(3), offset >= 0,
                    !offset.addingReportingOverflow(max(0, length)).overflow
                else { continue }
                let range = ByteRange(offset: offset, length: max(0, length))
                let isKept = kept[video]?.ranges.contains { $0.overlaps(range) } ?? false
                guard !isKept else { continue }
                guard try evict(range, ofVideo: video, in: change) else { continue }
                victims.append(Extent(video: video, range: range))
                total -= range.length
                if total <= limit { return try announce(victims, in: change.db) }
            }
        }
    }

    /// Tells the observer what is evicted, before the transaction is committed.
    private func announce(_ victims: [Extent], in db: Database) throws {
        for victim in victims {
            let url = try String.fetchOne(
                db.cachedStatement(sql: Self.url), arguments: [victim.video])
            if let url { observer.willEvict(victim.range, of: url) }
        }
    }

    /// Drops a chunk; false if the damaged database cannot delete it, and it stays.
    private func evict(
        _ range: ByteRange, ofVideo id: Int64, in change: IndexChange
    ) throws -> Bool {
        do {
            try change.db.inSavepoint {
                try change.db.run(Self.deleteChunk, [id, range.offset])
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
        try Self.cut(range, ofVideo: id, in: change)
        logGrew(by: logGrowth(for: 0))
        return true
    }

    /// The bytes of all chunks, clamped to more than any disk holds, so that sums do not overflow.
    private static func totalBytes(in db: Database) throws -> Int64 {
        let bytes = try Int64.fetchOne(db.cachedStatement(sql: total)) ?? 0
        return min(max(0, bytes), Int64.max >> 8)
    }

    /// Writes the order of use; memory forgets it only after the commit.
    func writeUses(in db: Database) throws {
        let pending = uses.withLock { $0.uses }
        guard let newest = pending.last else { return }
        for use in pending {
            let (start, end) = (use.range.offset, use.range.end)
            try db.run(Self.noteUse, ["video": use.video, "start": start, "end": end])
        }
        db.afterNextTransaction { _ in self.uses.withLock { $0.forget(upTo: newest.number) } }
    }

    /// True if there are many more free pages than saves will fill.
    func hasSpareSpace(in db: Database) throws -> Bool {
        let free = try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
        return free * Int64(pageSize) > Self.keptFreeBytes
    }

    /// Gives spare space back in short steps; what fails or must wait is left to a later save.
    func giveBackSpace(steps: Int) {
        for _ in 0..<steps { guard let didStep = try? giveBackStep(), didStep else { return } }
    }

    private func giveBackStep() throws(CacheError) -> Bool {
        let pages = Self.pagesPerStep
        let didStep = try access { db in
            guard try hasSpareSpace(in: db),
                try Int.fetchOne(db.cachedStatement(sql: "PRAGMA auto_vacuum")) == 2
            else { return false }
            try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
            return true
        }
        guard didStep else { return false }
        logGrew(by: Int64(pages * pageSize))
        if checkpointIsDue { try checkpoint() }
        return true
    }
}
