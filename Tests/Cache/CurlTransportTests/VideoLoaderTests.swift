import Foundation
import GRDB
import Synchronization
import Testing
import TestSupport

@testable import CurlTransport
@testable import VideoCache

@Suite("A player's requests: hit, partial hit, miss (C3–C5, C8, C9, S1–S3)", .serialized)
struct VideoLoaderTests {
    let cache: TemporaryCache
    let bytes = videoBytes(3_000_000)

    init() throws { cache = try TemporaryCache() }

    @Test("a miss is fetched, handed out as it comes, and saved (C4, S1)") func miss() throws {
        let origin = try TestOrigin.video(bytes)
        #expect(try cache.play(origin.url) == bytes)
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-"])
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("a hit asks no server (C3, C4)") func hit() throws {
        let origin = try TestOrigin.video(bytes)
        try cache.seed(origin.url, bytes, [0..<3_000_000])
        let loader = cache.loader()
        let information = try loader.information(of: origin.url)
        #expect(information.length == 3_000_000 && information.mimeType == "video/mp4")
        #expect(try loader.reader(of: origin.url, range: nil).all(limit: 7777) == bytes)
        let part = ByteRange(from: 10, to: 2_000_000)
        #expect(
            try loader.reader(of: origin.url, range: part).all() == Array(bytes[10..<2_000_000]))
        loader.close()
        #expect(origin.requests.isEmpty)
    }

    @Test("of a partial hit only what is missing is asked for (C4, C8)") func partialHit() throws {
        let origin = try TestOrigin.video(bytes)
        try cache.seed(origin.url, bytes, [0..<500_000, 600_000..<900_000])
        let loader = cache.loader()
        let range = ByteRange(from: 400_000, to: 1_000_000)
        #expect(
            try loader.reader(of: origin.url, range: range).all()
                == Array(bytes[400_000..<1_000_000]))
        loader.close()
        #expect(origin.ranges == ["bytes=500000-599999", "bytes=900000-999999"])
        #expect(origin.requests.allSatisfy { $0.headers["if-range"] == "\"v1\"" })
    }

    @Test(
        "ranges at and beyond the end",
        arguments: [(2_999_999, 3_000_000), (2_999_000, 9_000_000), (3_000_000, 3_000_001)])
    func theEnd(from: Int, to: Int) throws {
        let origin = try TestOrigin.video(bytes)
        let loader = cache.loader()
        let range = ByteRange(from: Int64(from), to: Int64(to))
        #expect(
            try loader.reader(of: origin.url, range: range).all()
                == Array(bytes[from..<min(to, bytes.count)]))
        loader.close()
    }

    @Test("offline: what is cached is served, then the network's own error (C3, C9)")
    func offline() throws {
        let origin = try TestOrigin.video(bytes)
        let url = origin.url
        try cache.seed(url, bytes, [0..<700_000])
        origin.stop()
        let loader = cache.loader()
        #expect(try loader.information(of: url).length == 3_000_000)
        let reader = loader.reader(of: url, range: nil)
        #expect(try reader.bytes(atLeast: 700_000) == Array(bytes[..<700_000]))
        #expect(reader.position == 700_000)
        #expect(throws: TransportError.self) { try reader.next() }
        loader.close()
    }

    @Test("a damaged chunk is never shown: it is dropped and fetched again (C5)")
    func damaged() throws {
        let origin = try TestOrigin.video(bytes)
        try cache.seed(
            origin.url, bytes, [0..<1_000_000, 1_000_000..<2_000_000, 2_000_000..<3_000_000])
        try cache.store.damage(offset: 1_000_000)
        #expect(try cache.play(origin.url) == bytes)
        #expect(origin.ranges == ["bytes=1000000-1999999"])
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("a cancel wakes the reader, and everything that came is saved (F3, S3)")
    func cancel() throws {
        let origin = try TestOrigin.video(bytes) { request, reply in
            if request.range?.last == nil { reply.sendsOnly = 300_000 }
            reply.fallsSilent = reply.sendsOnly != nil
        }
        let ledger = Ledger()
        let loader = cache.loader(observer: ledger)
        let reader = loader.reader(of: origin.url, range: nil)
        #expect(try reader.bytes(atLeast: 300_000) == Array(bytes[..<300_000]))
        let blocked = Background { try reader.next() }
        reader.cancel()
        #expect(throws: TransportError.cancelled) { try blocked.value() }
        try blockUntil("the request is cancelled") { ledger.requests.last?.end == .cancelled }
        #expect(try cache.cache.cachedBytes(of: origin.url) == 300_000)
        loader.close()
    }

    /// A reader used to drop missing chunks again and again, even if that changed nothing.
    ///
    /// A trigger restores rows that the cache deletes, as the planted bug `stride-lookup` did.
    @Test(
        "a cache that cannot be repaired is said to be damaged", arguments: StorageLayout.allCases)
    func beyondRepair(layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        try cache.seed("http://model/v", bytes, [0..<3_000_000])
        try cache.store.access {
            try $0.execute(
                sql: """
                    DELETE FROM chunk;
                    CREATE TRIGGER lie AFTER DELETE ON cached_range BEGIN
                        INSERT INTO cached_range VALUES (old.video_id, old.offset, old.length);
                    END;
                    """)
        }
        let loader = cache.loader()
        let reader = loader.reader(of: "http://model/v", range: nil)
        let whole = ByteRange(offset: 0, length: 3_000_000)
        #expect(throws: CacheError.damaged(url: "http://model/v", dropped: [whole])) {
            try Background { try reader.next() }.value()
        }
        loader.close()
    }

    /// A loader was closed while a reader was about to access the store.
    ///
    /// The owner then closed the store too, and the reader failed with "out of memory; check the
    /// disk", which is SQLite's error for a closed database. Seen once in some thousand random
    /// lives.
    @Test("close waits for a reader that is in the store", arguments: StorageLayout.allCases)
    func closeWhileInTheStore(layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        try cache.seed("http://model/v", bytes, [0..<3_000_000])
        let loader = cache.loader()
        let reader = loader.reader(of: "http://model/v", range: nil)
        _ = try reader.information()
        // Requests no bytes, so it never accesses the store.
        let secondReader = loader.reader(
            of: "http://model/v", range: ByteRange(offset: 0, length: 0))
        #expect(try secondReader.next() == nil)
        let store = cache.store
        let hasClosed = Atomic(false)
        let (reading, closing) = try store.access { _ in
            let reading = Background { try reader.next() }
            // The reader waits for the database, which is in use.
            try blockUntil("a reader has registered") {
                store.readers.ranges()[1]?.isEmpty == false
            }
            let closing = Background {
                loader.close()
                hasClosed.store(true, ordering: .sequentiallyConsistent)
                try store.close()
            }
            try blockUntil("other readers are sent away") { isSentAway(secondReader) }
            // A waiting close gives no signal; one that does not wait has returned by now.
            usleep(50_000)
            let closedTooEarly = hasClosed.load(ordering: .sequentiallyConsistent)
            #expect(!closedTooEarly)
            return (reading, closing)
        }
        #expect(throws: TransportError.cancelled) { try reading.value() }
        try closing.value()
    }

    private func isSentAway(_ reader: VideoReader) -> Bool {
        do {
            _ = try reader.next()
            return false
        } catch {
            return error as? TransportError == .cancelled
        }
    }

    @Test("a reader that is made after the close is told so, whatever it wants")
    func afterTheClose() throws {
        try cache.seed("http://model/new", bytes, [0..<3_000_000])
        let loader = cache.loader()
        loader.close()
        try cache.store.close()
        let reader = loader.reader(of: "http://model/new", range: nil)
        #expect(throws: TransportError.cancelled) { try reader.next() }
        #expect(throws: TransportError.cancelled) {
            try loader.information(of: "http://model/new")
        }
    }
}
