internal import Benchmark
internal import VideoCache

/// Saving and reading a chunk, as a download and a player do.
func addChunks() {
    for layout in StorageLayout.allCases {
        Benchmark("save 512 KB, \(layout.rawValue)") { benchmark, cache in
            try cache.makeRoom()
            benchmark.startMeasurement()
            try cache.append()
            benchmark.stopMeasurement()
        } setup: {
            try GrowingCache(layout: layout)
        }
        Benchmark("read 512 KB, \(layout.rawValue)") { _, cache in
            blackHole(try cache.readNext())
        } setup: {
            let cache = try GrowingCache(layout: layout)
            for _ in 0..<64 { try cache.append() }
            return cache
        }
    }
}

/// A video that grows by a chunk at a time, and is deleted before it fills the memory.
final class GrowingCache {
    private static let mostChunks = 512
    private static let url = "http://origin.example/video.mp4"

    private let folder: TemporaryFolder
    private let store: SQLiteChunkStore
    private let memory = TwoBuffers()
    private var video: CachedVideo
    private var chunks = 0
    private var reads = 0

    init(layout: StorageLayout) throws {
        folder = try TemporaryFolder()
        store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        video = try Self.newVideo(in: store)
    }

    deinit { try? store.close() }

    private static func newVideo(in store: SQLiteChunkStore) throws -> CachedVideo {
        try store.store(
            ContentInformation(length: nil, acceptsRanges: true, etag: "\"1\""), url: url)
    }

    func makeRoom() throws {
        guard chunks >= Self.mostChunks else { return }
        try store.remove(video)
        try store.checkpoint()
        video = try Self.newVideo(in: store)
        chunks = 0
    }

    /// Saves as a download does, with a checkpoint if one is due.
    func append() throws {
        let chunk = Chunk(
            offset: Int64(chunks * chunkSize), bytes: UnsafeRawBufferPointer(memory.bytes))
        _ = try store.save([chunk], of: video)
        if store.checkpointIsDue { try store.checkpoint() }
        chunks += 1
    }

    /// Reads one chunk after the other, as a player does.
    func readNext() throws -> StoredChunk? {
        defer { reads += 1 }
        return try store.chunk(of: video, from: Int64(reads % chunks * chunkSize))
    }
}
