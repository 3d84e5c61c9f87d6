internal import Synchronization
internal import VideoCache

struct NameKeyedStore: ForwardingStore {
    let base: any ChunkStore

    func video(url: String) throws(CacheError) -> CachedVideo? {
        if let known = try base.video(url: url) { return known }
        return try base.videos().first { Self.name($0.url) == Self.name(url) }
    }

    func store(_ information: ContentInformation, url: String) throws(CacheError) -> CachedVideo {
        if let namesake = try video(url: url), namesake.url != url { return namesake }
        return try base.store(information, url: url)
    }

    private static func name(_ url: String) -> Substring {
        url.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    }
}

/// After every third save a second request for the same range, which the documents allow (C7),
/// seems to be cancelled early: its remainder takes the place of the chunk (C13).
final class KeyedByOffsetStore: ForwardingStore {
    private static let every = 3
    private static let shortSize = 64 << 10

    let base: any ChunkStore
    private let saves = Mutex(0)

    init(base: any ChunkStore) { self.base = base }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let stored = try base.save(chunks, of: video)
        let isTurn = saves.withLock { saves in
            saves += 1
            return saves.isMultiple(of: Self.every)
        }
        if isTurn, let chunk = chunks.first, chunk.bytes.count > Self.shortSize {
            try base.disk.discard(chunk.range, of: video)
            let short = UnsafeRawBufferPointer(rebasing: chunk.bytes[..<Self.shortSize])
            _ = try base.save([Chunk(offset: chunk.offset, bytes: short)], of: video)
        }
        return stored
    }
}

/// Knows where chunks lie in memory only, and writes that when it is next asked for a chunk, or
/// closed, as the documents' first version did (B5).
final class LateIndexStore: ForwardingStore {
    /// What it notes in, written late.
    private let store: any ChunkStore
    private let noted = Mutex<[(video: CachedVideo, chunk: StoredChunk)]>([])

    init(base: any ChunkStore) { store = base }

    /// The store, with all that was noted: every call but a save, and those of the disk, go there.
    var base: any ChunkStore {
        // What cannot be written now is missing, as in the documents.
        try? writeNotes()
        return store
    }

    private func writeNotes() throws(CacheError) {
        let notes = noted.withLock { notes in
            defer { notes = [] }
            return notes
        }
        for (video, chunk) in notes {
            _ = try store.save(chunk.bytes ?? [], at: chunk.range.offset, of: video)
        }
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let new = chunks.map { (video: video, chunk: StoredChunk(copying: $0)) }
        noted.withLock { $0 += new }
        return chunks.map(\.range).byteCount
    }

    var disk: SQLiteChunkStore { store.disk }
}

struct FirstRangeStore: ForwardingStore {
    let base: any ChunkStore

    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        ByteRangeSet(try base.ranges(of: video).ranges.prefix(1))
    }

    func cachedRange(of video: CachedVideo, from offset: Int64) throws(CacheError) -> ByteRange? {
        try base.cachedRange(of: video, from: 0).flatMap { $0.end > offset ? $0 : nil }
    }

    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        guard let first = try base.cachedRange(of: video, from: 0), first.end > offset else {
            return nil
        }
        return try base.chunk(of: video, from: offset, ahead: &ahead)
    }
}
