internal import GRDB

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Which rows can be trusted after a power cut.
///
/// With durability `process` the system decides when rows and bytes reach the disk. After a power
/// cut a row may exist without its bytes, and a dropped row may be back. So the first change after
/// a full sync records on disk, before it writes or frees a byte, that the synced state has ended.
///
/// Neither checkpoints nor the close wait for the bytes then; the first launch after a power cut
/// reads all of them. Waiting made an ingest as slow as the disk, only to save that one launch per
/// boot the read: 1 GB took 3.6 and 4.9 s instead of 2.0 to 3.5 s (`curl -o` 1.6 to 3.3 s, `wget
/// -O` 2.8 to 4.3 s, in turn, on a busy machine).
extension FileStorage {
    private static let rows = """
        SELECT offset, length, checksum FROM chunk WHERE video_id = ? ORDER BY offset
        """

    func standing() throws(CacheError) -> Standing {
        guard let entry = try journal.read() else {
            return Standing(trust: .none, isSettled: false)
        }
        return Standing(
            trust: entry.trust,
            isSettled: entry.tellsAll(atLaunch: true) && entry.doubt.isEmpty)
    }

    var canDetectReboot: Bool { journal.canDetectReboot }

    var leavesDoubt: Bool { journal.leavesDoubt }

    func announce(_ doubt: Doubt, trust: Trust, changesRows: Bool) throws -> Trust {
        let isSynced = trust == .synced && (!changesRows || journal.durability == .power)
        if trust == .synced, !isSynced {
            // Once for all changes until the next sync. Without the flush it might be lost.
            try journal.write(doubt, sync: .ending, isOfThisLife: true)
            try system.sync(journal.path)
        }
        try journal.write(doubt, sync: isSynced ? .done : .none, isOfThisLife: trust != .none)
        if isSynced { return .synced }
        return trust != .none && canDetectReboot ? .thisLife : .none
    }

    func flush(log: String) throws(CacheError) {
        try data.flush()
        if let file = try OpenFile.ifThere(log, O_RDONLY) {
            try system.sync(file)
        }
    }

    func sync(log: String, doubt: Doubt) throws(CacheError) {
        try flush(log: log)
        try journal.write(doubt, sync: .done, isOfThisLife: true)
        // If this note were lost, the first launch after a power cut would read everything.
        try system.sync(journal.path)
    }

    func unfitChunks(
        ofVideo id: Int64, index: any IndexAccess
    ) throws(CacheError) -> [ByteRange] {
        let rows = try index.access { db in
            try Row.fetchAll(db.cachedStatement(sql: Self.rows), arguments: [id])
                .map { try IndexRow($0) }
        }
        guard !rows.isEmpty, let file = try data.open(video: id) else { return rows.map(\.range) }
        var unfit: [ByteRange] = []
        for row in rows {
            let bytes = row.range.end <= file.size ? try file.read(row.range) : nil
            if bytes?.withUnsafeBytes(Checksum.xxh3) != row.checksum { unfit.append(row.range) }
        }
        return unfit
    }
}

extension SQLiteChunkStore {
    // Up to this many bytes are read, twice, under the write lock. That is immediate if they are
    // gone, and from a disk takes much less than the lock timeout of other writers.
    private static let mostDroppedAtOnce: Int64 = 64 << 20

    /// Whether the index can be trusted without reading the chunks (C10).
    ///
    /// False for a file-based cache after it was copied, and after a reboot or a remount unless
    /// everything was synced before: a power cut may have lost bytes. The next launch that may
    /// write reads every chunk and drops those that were lost.
    ///
    /// - Throws: ``CacheError``.
    public func isVerified() throws(CacheError) -> Bool { try storage.standing().trust != .none }

    /// Drops the chunks that lost their bytes in a power cut, before any caller learns of them.
    ///
    /// Costs nothing if every byte was synced, or if the cache has had the same life since its
    /// first chunk: what a killed process wrote is in the page cache. Otherwise it reads all
    /// chunks, even those from before the last checkpoint: chunks that were dropped and freed since
    /// may be back in the index. Measured from memory: 0.15 s for 400 MB, about 2.5 GB/s; a disk
    /// adds its read time. The write lock is not held meanwhile, because a committed row has its
    /// bytes. Only what looks lost is read again under the lock (``dropDamaged(in:of:)``).
    func dropLostChunks(trust: Trust) throws(CacheError) {
        guard trust == .none || (trust == .thisLife && durability == .power) else { return }
        let videos = trust == .none ? try videos() : []
        for video in videos {
            do {
                try dropLostChunks(of: video)
            } catch .notACache, .replaced {
                // A damaged index is handled when it is read; a replaced video has other bytes.
                continue
            }
        }
        if durability == .power {
            try sync()
        } else if storage.canDetectReboot {
            // What was read may be in the page cache only. After a sync, no reboot causes this read
            // again. Without videos there is nothing to sync.
            if videos.isEmpty { try change { try $0.vouch() } } else { try sync() }
        }
        // Otherwise nothing is synced here: every launch after a kill would wait for the disk, and
        // the next one would read everything all the same. The close syncs.
    }

    private func dropLostChunks(of video: CachedVideo) throws(CacheError) {
        var lost = ByteRangeSet()
        var bytes: Int64 = 0
        for range in try storage.unfitChunks(ofVideo: video.id, index: self) {
            lost.insert(range)
            // Capped, because a damaged row may contain any length.
            bytes += min(range.length, Self.mostDroppedAtOnce)
            guard bytes >= Self.mostDroppedAtOnce else { continue }
            try drop(lost, of: video)
            (lost, bytes) = (ByteRangeSet(), 0)
        }
        try drop(lost, of: video)
    }

    private func drop(_ lost: ByteRangeSet, of video: CachedVideo) throws(CacheError) {
        for range in lost.ranges { try dropDamaged(in: range, of: video) }
    }

    /// Makes everything durable: most of it without the write lock, the rest under it.
    ///
    /// Syncing everything under the lock may take longer than other writers wait for the lock.
    func sync() throws(CacheError) {
        if try storage.standing().trust != .synced { try storage.flush(log: logPath) }
        try change { try $0.sync(log: logPath) }
    }
}
