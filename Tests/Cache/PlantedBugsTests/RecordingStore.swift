import VideoCache

/// A store that holds the same always, and records its calls.
final class RecordingStore: ChunkStore {
    static let video = CachedVideo(
        id: 1, url: "u", information: ContentInformation(length: 300, acceptsRanges: true))
    static let range = ByteRange(offset: 0, length: 200)
    private static let chunk = StoredChunk(range: range, bytes: [1, 2])

    let log = CallLog()
    private let lowest: SQLiteChunkStore

    init(on disk: SQLiteChunkStore) { lowest = disk }

    var disk: SQLiteChunkStore {
        log.note("disk")
        return lowest
    }
    /// Empty: a bug in what is cached when a store is opened has no effect.
    func videos() -> [CachedVideo] {
        log.note("videos")
        return []
    }
    func video(url: String) -> CachedVideo? {
        log.note("video", url)
        return Self.video
    }
    func store(_ information: ContentInformation, url: String) -> CachedVideo {
        log.note("store", information, url)
        return Self.video
    }
    func save(_ chunks: [Chunk], of video: CachedVideo) -> Int64 {
        log.note("save", chunks.map(\.range), chunks.map { [UInt8]($0.bytes) }, video)
        return 4
    }
    func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) -> (video: CachedVideo, stored: Int64) {
        log.note("replace", old, information, chunks.map(\.range))
        return (Self.video, 5)
    }
    func ranges(of video: CachedVideo) -> ByteRangeSet {
        log.note("ranges", video)
        return ByteRangeSet([Self.range])
    }
    func cachedRange(of video: CachedVideo, from offset: Int64) -> ByteRange? {
        log.note("cachedRange", video, offset)
        return Self.range
    }
    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) -> StoredChunk? {
        log.note("chunk", video, offset)
        return Self.chunk
    }
    func dropDamaged(in range: ByteRange, of video: CachedVideo) -> [ByteRange] {
        log.note("dropDamaged", range, video)
        return [range]
    }
    func remove(_ video: CachedVideo) { log.note("remove", video) }
    func removeAll() { log.note("removeAll") }
    func close() { log.note("close") }

    static let calls: [Call<any ChunkStore>] = [
        Call("disk") { $0.disk.path },
        Call("videos") { try $0.videos() },
        Call("video") { try $0.video(url: "u") as Any },
        Call("store") { try $0.store(video.information, url: "u") },
        Call("save") { store in
            try withChunk { chunk throws(CacheError) in try store.save([chunk], of: video) }
        },
        Call("replace") { store in
            try withChunk { chunk throws(CacheError) in
                try store.replace(video, with: video.information, holding: [chunk])
            }
        },
        Call("ranges") { try $0.ranges(of: video) },
        Call("cachedRange") { try $0.cachedRange(of: video, from: 1) as Any },
        Call("chunk") { store in
            var ahead = ChunksAhead()
            return try store.chunk(of: video, from: 1, ahead: &ahead) as Any
        },
        Call("dropDamaged") { "\(try $0.dropDamaged(in: range, of: video))" },
        Call("remove") { try $0.remove(video) },
        Call("removeAll") { try $0.removeAll() },
        Call("close") { try $0.close() },
    ]

    private static func withChunk<Value>(
        _ use: (Chunk) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        let result = [UInt8](repeating: 3, count: 10).withUnsafeBytes {
            memory -> Result<Value, CacheError> in
            Result { () throws(CacheError) in try use(Chunk(offset: 20, bytes: memory)) }
        }
        return try result.get()
    }
}
