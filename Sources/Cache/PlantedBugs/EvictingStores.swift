internal import DownloaderCommands
internal import GRDB
internal import Synchronization
internal import VideoCache

/// Drops a chunk of the previous save at every third save, once eviction is due.
final class VanishingStore: ForwardingStore {
    private static let every = 3

    let base: any ChunkStore
    private let state = Mutex<(saves: Int, last: [ByteRange])>((0, []))

    init(base: any ChunkStore) { self.base = base }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let new = chunks.map(\.range).byteCount
        let isCrowded = try base.disk.needsRoom(for: new + new)
        let stored = try base.save(chunks, of: video)
        let victim = state.withLock { state -> ByteRange? in
            state.saves += 1
            defer { state.last = chunks.map(\.range) }
            return isCrowded && state.saves.isMultiple(of: Self.every) ? state.last.first : nil
        }
        if let victim { try base.disk.discard(victim, of: video) }
        return stored
    }
}

final class NewestEvictingStore: ForwardingStore {
    let base: any ChunkStore
    private let capacity: Int64
    private let saved = Mutex<[(video: CachedVideo, range: ByteRange)]>([])

    static func on(_ opened: OpenedStore) -> any ChunkStore {
        guard let capacity = opened.capacity else { return opened.store }
        return NewestEvictingStore(base: opened.store, capacity: capacity)
    }

    private init(base: any ChunkStore, capacity: Int64) {
        (self.base, self.capacity) = (base, capacity)
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let new = chunks.map(\.range).byteCount
        while try base.disk.cachedBytes() + new > capacity,
            let newest = saved.withLock({ $0.popLast() })
        {
            disk.observer.willEvict(newest.range, of: newest.video.url)
            try base.disk.discard(newest.range, of: newest.video)
        }
        let stored = try base.save(chunks, of: video)
        saved.withLock { for chunk in chunks { $0.append((video, chunk.range)) } }
        return stored
    }
}

final class RowEvictingStore: ForwardingStore {
    private static let evict = """
        DELETE FROM chunk WHERE (video_id, offset) IN (
            SELECT video_id, offset FROM chunk_use ORDER BY used, video_id, offset LIMIT 1)
        """

    let base: any ChunkStore
    private let capacity: Int64
    private var path: String { disk.path }
    private let database: DatabaseQueue

    static func on(_ opened: OpenedStore) throws -> any ChunkStore {
        guard let capacity = opened.capacity else { return opened.store }
        return try RowEvictingStore(base: opened.store, capacity: capacity)
    }

    private init(base: any ChunkStore, capacity: Int64) throws {
        (self.base, self.capacity) = (base, capacity)
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        database = try DatabaseQueue(path: base.disk.path, configuration: configuration)
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let room = capacity - chunks.map(\.range).byteCount
        do {
            try database.write { db in
                while try Int64.fetchOne(db, sql: "SELECT bytes FROM chunk_total") ?? 0 > room {
                    try db.execute(sql: Self.evict)
                    guard db.changesCount > 0 else { return }
                }
            }
        } catch {
            throw .inputOutput(path: path, reason: "\(error)")
        }
        return try base.save(chunks, of: video)
    }

    func close() throws(CacheError) {
        do { try database.close() } catch { throw .inputOutput(path: path, reason: "\(error)") }
        try base.close()
    }
}
