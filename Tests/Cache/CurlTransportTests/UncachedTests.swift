import GRDB
import Synchronization
import Testing

@testable import CurlTransport
@testable import VideoCache

/// A full disk must not stop playback: bytes are delivered, but not cached.
@Suite("When the cache cannot store, playing goes on without it", .serialized)
struct UncachedTests {
    let cache: TemporaryCache
    let bytes = videoBytes(6_000_000)

    /// In rows, because the number of their pages can be limited.
    init() throws { cache = try TemporaryCache(layout: .rows) }

    private final class Failures: CacheObserver, RequestObserver {
        let errors = Mutex<[CacheError]>([])
        let received = Atomic<Int64>(0)

        func requestBegan(url: String, start: Int64) -> any RequestObserver { self }
        func received(_ count: Int) { received.add(Int64(count), ordering: .relaxed) }
        func saveFailed(_ error: CacheError) { errors.withLock { $0.append(error) } }
    }

    @Test("the disk full: every byte comes, memory stays small, the error is told")
    func diskFull() throws {
        let origin = try TestOrigin.video(bytes)
        try cache.seed(origin.url, bytes, [0..<1_000_000])
        try cache.store.access { try $0.execute(sql: "PRAGMA max_page_count = 100") }
        let failures = Failures()
        let loader = cache.loader(observer: failures)
        let reader = loader.reader(of: origin.url, range: nil)
        var seen: [UInt8] = []
        var worstLead: Int64 = 0
        while let more = try reader.next(limit: 50_000) {
            seen += more
            let ahead = failures.received.load(ordering: .relaxed) + 1_000_000 - reader.position
            worstLead = max(worstLead, ahead)
        }
        #expect(seen == bytes)
        #expect(failures.errors.withLock { $0 } == [.diskFull(path: cache.store.path)])
        // Once saving has failed, the download waits for the reader.
        #expect(worstLead < 4 << 20)
        loader.close()
        let cached = try cache.bytes(of: origin.url, count: bytes.count)
        #expect(cached.count >= 1_000_000 && cached == Array(bytes[..<cached.count]))
    }

    @Test("an unknown video on a full disk plays too, for two readers") func unknown() throws {
        let origin = try TestOrigin.video(bytes)
        let (url, bytes) = (origin.url, bytes)
        try cache.store.access { try $0.execute(sql: "PRAGMA query_only = ON") }
        let loader = cache.loader()
        let both = (0..<2).map { _ in
            Background { try loader.reader(of: url, range: nil).all(limit: 100_000) == bytes }
        }
        for one in both { #expect(try one.value()) }
        loader.close()
        #expect(try cache.cache.cachedBytes(of: url) == 0)
    }

    @Test("a video that is cleared while it plays, plays on") func cleared() throws {
        let origin = try TestOrigin.video(bytes)
        let loader = cache.loader(readAhead: 500_000)
        let reader = loader.reader(of: origin.url, range: nil)
        let start = try reader.bytes(atLeast: 600_000)
        try cache.cache.clearAll()
        #expect(try start + reader.all() == bytes)
        #expect(try loader.reader(of: origin.url, range: nil).all() == bytes)
        loader.close()
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }
}
