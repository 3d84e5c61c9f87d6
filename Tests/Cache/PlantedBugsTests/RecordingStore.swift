import VideoCache

/// A store that holds the same always, and records its calls.
final class RecordingStore: ChunkStore {
    static let video = CachedVideo(
        id: 1, url: "u", information: ContentInformation(length: 300, acceptsRanges: true))
    static let range = ByteRange(offset: 0, length: 200)
    private static let chunk = StoredChunk(range: range, bytes: [1, 2])

    let log = CallLog()
    private let registry = ReaderRegistry()

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
    func needsRoom(for bytes: Int64) -> Bool {
        log.note("needsRoom", bytes)
        return true
    }
    func makeRoom(for ranges: [ByteRange], of video: CachedVideo) {
        log.note("makeRoom", ranges, video)
    }
    func ranges(of video: CachedVideo) -> ByteRangeSet {
        log.note("ranges", video)
        return ByteRangeSet([Self.range])
    }
    func cachedRange(of video: CachedVideo, from offset: Int64) -> ByteRange? {
        log.note("cachedRange", video, offset)
        return Self.range
    }
    func cachedBytes() -> Int64 {
        log.note("cachedBytes")
        return 6
    }
    func chunkCount(of video: CachedVideo) -> Int {
        log.note("chunkCount", video)
        return 7
    }
    func countChunks(of video: CachedVideo) -> (recorded: Int, found: [ByteRange]) {
        log.note("countChunks", video)
        return (3, [Self.range])
    }
    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) -> StoredChunk? {
        log.note("chunk", video, offset)
        return Self.chunk
    }
    func mend(_ video: CachedVideo) -> [ByteRange]? {
        log.note("mend", video)
        return [Self.range]
    }
    func dropDamaged(in range: ByteRange, of video: CachedVideo) -> [ByteRange] {
        log.note("dropDamaged", range, video)
        return [range]
    }
    func remove(_ video: CachedVideo) { log.note("remove", video) }
    func removeAll() { log.note("removeAll") }
    var readers: ReaderRegistry {
        log.note("readers")
        return registry
    }
    func noteUse(of range: ByteRange, in video: CachedVideo) { log.note("noteUse", range, video) }
    var checkpointIsDue: Bool {
        log.note("checkpointIsDue")
        return true
    }
    func checkpoint() { log.note("checkpoint") }
    var diskBytes: Int64 {
        log.note("diskBytes")
        return 8
    }
    func flushPending() { log.note("flushPending") }
    func close() { log.note("close") }

    /// A use of every requirement of a store.
    static let calls: [Call<any ChunkStore>] = [
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
        Call("needsRoom") { try $0.needsRoom(for: 9) },
        Call("makeRoom") { try $0.makeRoom(for: [range], of: video) },
        Call("ranges") { try $0.ranges(of: video) },
        Call("cachedRange") { try $0.cachedRange(of: video, from: 1) as Any },
        Call("cachedBytes") { try $0.cachedBytes() },
        Call("chunkCount") { try $0.chunkCount(of: video) },
        Call("countChunks") { "\(try $0.countChunks(of: video))" },
        Call("chunk") { store in
            var ahead = ChunksAhead()
            return try store.chunk(of: video, from: 1, ahead: &ahead) as Any
        },
        Call("mend") { try $0.mend(video) as Any },
        Call("dropDamaged") { "\(try $0.dropDamaged(in: range, of: video))" },
        Call("remove") { try $0.remove(video) },
        Call("removeAll") { try $0.removeAll() },
        Call("readers") { $0.readers.ranges()[1]?.ranges ?? [] },
        Call("noteUse") { $0.noteUse(of: range, in: video) },
        Call("checkpointIsDue") { $0.checkpointIsDue },
        Call("checkpoint") { try $0.checkpoint() },
        Call("diskBytes") { $0.diskBytes },
        Call("flushPending") { $0.flushPending() },
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
