internal import Benchmark
internal import VideoCache

/// Operations that may not slow down as a cache grows: opening it, and finding a byte in it.
func addLookups() {
    for layout in StorageLayout.allCases {
        for chunks in FilledCache.sizes {
            let subject = "\(FilledCache.name(of: chunks)) chunks, \(layout.rawValue)"
            Benchmark("open \(subject)") { benchmark, cache in
                benchmark.startMeasurement()
                let store = try cache.open()
                benchmark.stopMeasurement()
                try store.close()
            } setup: {
                try FilledCache(chunks: chunks, layout: layout)
            }
            Benchmark("find a range among \(subject)") { _, cache in
                blackHole(try cache.store.cachedRange(of: cache.video, from: cache.nextOffset()))
            } setup: {
                try OpenCache(FilledCache(chunks: chunks, layout: layout))
            }
            Benchmark("read a chunk of 10 bytes among \(subject)") { _, cache in
                blackHole(try cache.store.chunk(of: cache.video, from: cache.nextOffset()))
            } setup: {
                try OpenCache(FilledCache(chunks: chunks, layout: layout))
            }
        }
    }
}

/// A filled cache that is read at one place after the other, in an unpredictable order.
final class OpenCache {
    let store: SQLiteChunkStore
    let video: CachedVideo
    private let cache: FilledCache
    private var asked = 0

    init(_ cache: FilledCache) throws {
        self.cache = cache
        store = try cache.open()
        guard let video = try store.video(url: FilledCache.url) else {
            throw CacheError.unknownVideo(url: FilledCache.url)
        }
        self.video = video
    }

    deinit { try? store.close() }

    func nextOffset() -> Int64 {
        asked += 1
        return cache.offset(asked &* 7919 % cache.chunks)
    }
}
