internal import GRDB

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Which rows can be believed after a cut of the power.
///
/// With durability `process` rows and bytes reach the disk when the system likes: after a cut a row
/// may be there without its bytes, and one that was dropped may be there again. So the first
/// change after a sync of everything says on the disk, before it writes or frees a byte, that this
/// is over.
///
/// Neither checkpoints nor the close wait for the bytes then: whoever opens the cache after a cut
/// looks at all of them. Waiting made an ingest as slow as the disk, to save one launch after each
/// start of the machine the look: 1 GB took 3.6 and 4.9 s where it takes 2.0 to 3.5 s without
/// (`curl -o` 1.6 to 3.3 s, `wget -O` 2.8 to 4.3 s, in turn, on a busy machine).
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

    var knowsItsLife: Bool { journal.knowsItsLife }

    var leavesDoubt: Bool { journal.leavesDoubt }

    func announce(_ doubt: Doubt, trust: Trust, changesRows: Bool) throws -> Trust {
        let isSynced = trust == .synced && (!changesRows || journal.durability == .power)
        if trust == .synced, !isSynced {
            // Once for all changes until the next sync. A note that is lost is no promise either.
            try journal.write(doubt, sync: .ending, isOfThisLife: true)
            try OpenFile.flush(journal.path)
        }
        try journal.write(doubt, sync: isSynced ? .done : .none, isOfThisLife: trust != .none)
        if isSynced { return .synced }
        return trust != .none && knowsItsLife ? .thisLife : .none
    }

    func flush(log: String) throws(CacheError) {
        try data.flush()
        if let file = try OpenFile.ifThere(log, O_RDONLY) {
            guard fsync(file.descriptor) == 0 else { throw file.failure() }
        }
    }

    func sync(log: String) throws(CacheError) {
        try flush(log: log)
        try journal.write(Doubt(), sync: .done, isOfThisLife: true)
        // A note that is lost would have the first launch after a cut read everything.
        try OpenFile.flush(journal.path)
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
    // So much is read, twice, while nobody else can write: at once where it is gone, and from a disk
    // in much less than others wait for the lock.
    private static let mostDroppedAtOnce: Int64 = 64 << 20

    /// Whether what the index says can be believed without a look at the chunks (C10).
    ///
    /// False for a cache in files after a copy, and unless all of it was synced after a start of the
    /// machine or a remount: a cut of the power may have taken bytes. The next launch that may write
    /// looks at every chunk and drops those that were lost.
    ///
    /// - Throws: ``CacheError``.
    public func isVerified() throws(CacheError) -> Bool { try storage.standing().trust != .none }

    /// Drops the chunks whose bytes a cut of the power has taken, before anybody is told of them.
    ///
    /// Costs nothing where every byte was synced, or where the cache has been in this life since its
    /// first chunk: what a killed process has written is there. Otherwise it reads all chunks, also
    /// those of before the last checkpoint: what was dropped since, and freed, may be back in the
    /// index. Measured from memory: 0.15 s for 400 MB, about 2.5 GB/s; a disk adds what it takes to
    /// read them. The write lock is not held meanwhile, because a row that is committed has its bytes;
    /// only what looks lost is read again under the lock (``dropDamaged(in:of:)``).
    func dropLostChunks(trust: Trust) throws(CacheError) {
        guard trust == .none || (trust == .thisLife && durability == .power) else { return }
        let videos = trust == .none ? try videos() : []
        for video in videos {
            do {
                try dropLostChunks(of: video)
            } catch .notACache, .replaced {
                // A damaged index is for those who read there; another version has other bytes.
                continue
            }
        }
        if durability == .power {
            try sync()
        } else if storage.knowsItsLife {
            // What was read may still be in memory only: synced, no start of the machine has it
            // read again. Of nothing there is nothing to sync.
            if videos.isEmpty { try change { try $0.vouch() } } else { try sync() }
        }
        // Else every launch after a kill would wait for the disk, and the one after it read all the
        // same: the close does it.
    }

    private func dropLostChunks(of video: CachedVideo) throws(CacheError) {
        var lost = ByteRangeSet()
        var bytes: Int64 = 0
        for range in try storage.unfitChunks(ofVideo: video.id, index: self) {
            lost.insert(range)
            // A damaged row may claim any length.
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

    /// Makes everything durable: most of it while others can commit, the rest while nobody can.
    ///
    /// A disk may need longer for all that was written than others wait for the lock.
    func sync() throws(CacheError) {
        if try storage.standing().trust != .synced { try storage.flush(log: logPath) }
        try change { try $0.sync(log: logPath) }
    }
}
