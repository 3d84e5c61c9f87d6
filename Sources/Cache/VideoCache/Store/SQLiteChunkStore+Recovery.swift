internal import GRDB
internal import Synchronization

/// What a launch does about kills and power cuts, and a close so that the next launch need not.
///
/// With durability `process` the system decides when rows and bytes reach the disk. After a power
/// cut a row may exist without its bytes, and a dropped row may be back. So the first change after
/// a full sync records on disk, before it writes or frees a byte, that the synced state has ended.
///
/// Neither checkpoints nor the close wait for the bytes then; the first launch after a power cut
/// reads all of them. Waiting made an ingest as slow as the disk, only to save that one launch per
/// boot the read: 1 GB took 3.6 and 4.9 s instead of 2.0 to 3.5 s (`curl -o` 1.6 to 3.3 s, `wget
/// -O` 2.8 to 4.3 s, in turn, on a busy machine).
extension SQLiteChunkStore {
    // Up to this many bytes are read, twice, under the write lock. That is immediate if they are
    // gone, and from a disk takes much less than the lock timeout of other writers.
    private static let mostDroppedAtOnce: Int64 = 64 << 20

    private static let lastRanges = """
        SELECT offset, length FROM cached_range WHERE video_id = ? ORDER BY offset DESC LIMIT 32
        """

    /// Whether the index can be trusted without reading the chunks (C10).
    ///
    /// False for a file-based cache after it was copied, and after a reboot or a remount unless
    /// everything was synced before: a power cut may have lost bytes. The next launch that may
    /// write reads every chunk and drops those that were lost.
    package func isVerified() throws(CacheError) -> Bool {
        try files?.log.read().trust != Trust.none
    }

    /// Resolves what a killed process left, and enforces the capacity (B5, C6).
    func recover() throws(CacheError) {
        do {
            let trust = try resolveIntents()
            try dropDamagedVideos()
            try dropLostChunks(trust: trust)
            try dropHollowChunks()
            try evictToCapacity()
        } catch .diskFull {
            // What is cached can be read. The next change, or the next launch, recovers.
            return
        }
        isRecovered.store(true, ordering: .relaxed)
    }

    /// Drops what older files in the place of the videos' own lack (K14).
    ///
    /// A restored file lacks what was saved after the backup. Holes are found without reading, by a
    /// few calls per video: only its last ranges are looked at, which are all of nearly any video.
    /// Only a video with a hole is read.
    private func dropHollowChunks() throws(CacheError) {
        guard let files else {
            if isInDoubt { try dropUnsoundRows() }
            return
        }
        try eachVideo { (video) throws(CacheError) in
            let last = try access { db in
                try db.rows(Self.lastRanges, [video.id]).compactMap { try? Self.byteRange($0) }
            }
            guard try !files.data.hollow(last, of: video.id).isEmpty else { return }
            try dropLostChunks(of: video, files)
        }
    }

    /// A damaged index is handled when it is read; a replaced video has other bytes.
    private func eachVideo(_ body: (CachedVideo) throws(CacheError) -> Void) throws(CacheError) {
        for video in try videos() {
            do { try body(video) } catch .notACache, .replaced { continue }
        }
    }

    private func dropUnsoundRows() throws(CacheError) {
        try eachVideo { (video) throws(CacheError) in
            for range in try unsoundChunks(of: video, among: ranges(of: video)).ranges {
                try dropDamaged(in: range, of: video)
            }
        }
    }

    private func resolveIntents() throws(CacheError) -> Trust {
        guard let files else { return .synced }
        // Read without the lock: extents that another process puts in doubt later are resolved by
        // the next writer.
        let record = try files.log.read()
        let generation = try access { try IndexChange.generation(in: $0) }
        // Under the lock the change looks again: another process may have committed in between.
        guard !record.isSettled || !record.isOf(generation) || isInDoubt else {
            return record.trust
        }
        do {
            return try change(atLaunch: true, isInDoubt: isInDoubt) { change in
                change.logAnew()
                return change.trust
            }
        } catch .busy {
            // The holder of the lock is alive; its extents in doubt are in the log.
            return try files.log.read().trust
        }
    }

    /// Drops the chunks that lost their bytes in a power cut, before any caller learns of them.
    ///
    /// Costs nothing if every byte was synced, or in the same mount epoch: what a killed process
    /// wrote is in the page cache. Otherwise it reads all chunks, even those from before the last
    /// checkpoint: chunks that were dropped and freed since may be back in the index. Measured from
    /// memory: 0.15 s for 400 MB, about 2.5 GB/s; a disk adds its read time. The write lock is not
    /// held meanwhile, because a committed row has its bytes. Only what looks lost is read again
    /// under the lock (``dropDamaged(in:of:)``).
    private func dropLostChunks(trust: Trust) throws(CacheError) {
        guard let files, trust == .none || (trust == .thisEpoch && durability == .power) else {
            return
        }
        if trust == .none {
            try eachVideo { (video) throws(CacheError) in try dropLostChunks(of: video, files) }
        }
        // What was read may be in the page cache only. After a sync, no reboot causes this read
        // again. Where reboots cannot be detected nothing is synced here: every launch after a kill
        // would wait for the disk, and the next one would read everything all the same. The close
        // syncs.
        if durability == .power || files.log.canDetectReboot { try sync() }
    }

    private func dropLostChunks(of video: CachedVideo, _ files: FileStorage) throws(CacheError) {
        var lost = ByteRangeSet()
        var bytes: Int64 = 0
        for range in try files.unfitChunks(ofVideo: video.id, index: self) {
            lost.insert(range)
            lostAtLaunch.withLock { $0[video.id, default: 0] += 1 }
            // Capped, because a damaged row may contain any length.
            bytes += min(range.length, Self.mostDroppedAtOnce)
            guard bytes >= Self.mostDroppedAtOnce else { continue }
            for range in lost.ranges { try dropDamaged(in: range, of: video) }
            (lost, bytes) = (ByteRangeSet(), 0)
        }
        for range in lost.ranges { try dropDamaged(in: range, of: video) }
    }

    /// Makes everything durable: most of it without the write lock, the rest under it.
    ///
    /// Syncing everything under the lock may take longer than other writers wait for the lock.
    ///
    /// After a sync that fails, what was to be written is nowhere but in memory, and a second one
    /// succeeds without writing it. So that is noted, and nothing counts as synced until the machine
    /// is started again (``IntentLog/Record/hasFailedSync``).
    private func sync() throws(CacheError) {
        guard let files, try files.log.read().trust != .synced else { return }
        do {
            try files.sync(wal: logPath)
            try change { try $0.sync(wal: logPath) }
        } catch {
            if case .busy = error { throw error }
            try? change { try $0.noteFailedSync() }
            throw error
        }
        if durability == .power, try files.log.read().hasFailedSync { try rewriteIndex() }
    }

    func writeWhatIsLeft() {
        let hasUses = uses.withLock { !$0.isEmpty }
        let hasIntents = (try? files?.log.read().intents.isEmpty) == false
        if hasUses || hasIntents {
            // Losing the order of use is harmless. Extents left in doubt would cost the next launch
            // a transaction under the lock.
            try? change { change in
                try writeUses(in: change.db)
                change.logAnew()
            }
        }
        giveBackSpace(steps: Self.stepsAtClose)
        // Without a sync, a launch that cannot tell whether bytes were lost reads all chunks.
        if durability == .power || files?.log.canDetectReboot == false { try? sync() }
    }

    /// Opens the index to be written if it could only be read, which may have changed (S6).
    func expectWritable() throws(CacheError) {
        let before = opened.withLock(\.self)
        guard let refusal = before.connection.refusal else { return }
        guard mayWrite, before.connection.canBeOpenedAnew else { throw refusal }
        let connection = try IndexConnection.open(wish, access: .existing, isClearing: false)
        guard connection.refusal == nil, isInPlace else { throw connection.refusal ?? refusal }
        let files =
            layout.index.hasBytes
            ? nil
            : try FileStorage(
                folder: wish.folder, access: .existing, durability: durability, system: system,
                memory: memory)
        let isFirst = opened.withLock { opened in
            guard opened.connection.refusal != nil else { return false }
            opened = Opened(connection: connection, files: files)
            return true
        }
        if isFirst { try recover() }
    }
}
