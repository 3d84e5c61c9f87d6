internal import Synchronization
internal import VideoCache

/// Drops a chunk of the previous save at every third save, once eviction is due.
///
/// The lost bytes look like an eviction, but no eviction was announced.
final class VanishingStore: ForwardingStore {
    private static let every = 3

    let base: any ChunkStore
    private let state = Mutex<(saves: Int, last: [ByteRange])>((0, []))

    init(base: any ChunkStore) {
        self.base = base
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let new = chunks.reduce(0) { $0 + $1.range.length }
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

/// Makes room by evicting the chunks that it saved last.
final class NewestEvictingStore: ForwardingStore {
    let base: any ChunkStore
    private let capacity: Int64
    private let observer: any CacheObserver
    private let saved = Mutex<[(video: CachedVideo, range: ByteRange)]>([])

    init(base: any ChunkStore, capacity: Int64, observer: any CacheObserver) {
        self.base = base
        self.capacity = capacity
        self.observer = observer
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let new = chunks.reduce(0) { $0 + $1.range.length }
        while try base.disk.cachedBytes() + new > capacity,
            let newest = saved.withLock({ $0.popLast() })
        {
            observer.willEvict(newest.range, of: newest.video.url)
            try base.disk.discard(newest.range, of: newest.video)
        }
        let stored = try base.save(chunks, of: video)
        saved.withLock { for chunk in chunks { $0.append((video, chunk.range)) } }
        return stored
    }
}
