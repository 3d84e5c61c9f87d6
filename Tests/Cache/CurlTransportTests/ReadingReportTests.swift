import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import CurlTransport
@testable import VideoCache

/// What was looked for, what was found and what was handed out are three figures (F5).
///
/// The log had one, from the index, for all three: with a chunk that was damaged or missing, it said
/// that everything was found, and nothing else.
@Suite struct ReadingReportTests {
    private final class Diary: CacheObserver {
        struct Entries {
            var lookups: [Retrieval] = []
            var lost: [ByteRange] = []
            var readings: [Reading] = []
            var sources: [InformationSource] = []
        }

        private let kept = Mutex(Entries())

        var entries: Entries { kept.withLock(\.self) }
        func requestBegan(url: String, start: Int64) -> any RequestObserver { SilentObserver() }
        func lookedUp(
            _ wanted: ByteRange?, of url: String, by reader: Int?,
            _ retrieval: () -> Result<Retrieval, CacheError>
        ) {
            if let retrieval = try? retrieval().get() {
                kept.withLock { $0.lookups.append(retrieval) }
            }
        }
        func mended(_ url: String?, lost: [ByteRange]) { kept.withLock { $0.lost += lost } }
        func left(_ reading: Reading, of url: String) {
            kept.withLock { $0.readings.append(reading) }
        }
        func informed(about url: String, from source: InformationSource) {
            kept.withLock { $0.sources.append(source) }
        }
    }

    private let place: TemporaryCache
    private let bytes = videoBytes(3_000_000)
    private let second = ByteRange(from: 1_000_000, to: 2_000_000)

    init() throws { place = try TemporaryCache() }

    private func filled(_ url: String, observer: Diary) throws -> SQLiteChunkStore {
        let store = try SQLiteChunkStore(
            folder: place.folder + "/own", layout: .file, observer: observer)
        let video = try store.store(
            ContentInformation(length: 3_000_000, acceptsRanges: true, etag: "\"v1\""), url: url)
        for start in stride(from: 0, to: bytes.count, by: 1_000_000) {
            try bytes[start..<start + 1_000_000].withUnsafeBytes { memory in
                _ = try store.save([Chunk(offset: Int64(start), bytes: memory)], of: video)
            }
        }
        return store
    }

    @Test(arguments: ["a row", "bytes"]) func whatIsLostIsReported(what: String) throws {
        let origin = try TestOrigin.video(bytes)
        let diary = Diary()
        let store = try filled(origin.url, observer: diary)
        if what == "bytes" {
            try store.damage(offset: 1_000_000)
        } else {
            let queue = try DatabaseQueue(path: store.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "DELETE FROM chunk WHERE offset = 1000000")
            }
            try queue.close()
        }
        let cache = VideoCache(store: store)
        let loader = VideoLoader(
            cache: cache, transport: CurlTransport(), options: .init(retry: .none), observer: diary)
        do {
            let reader = loader.reader(of: origin.url, range: nil)
            #expect(try reader.all() == bytes)
        }
        loader.close()
        let entries = diary.entries
        let lookup = try #require(entries.lookups.first)
        #expect(lookup.chunks == 3)
        #expect(lookup.claimed == [ByteRange(from: 0, to: 3_000_000)])
        let gone = what == "bytes" ? [] : [second]
        #expect(lookup.chunksFound == 3 - gone.count)
        var rest = ByteRangeSet(lookup.claimed)
        for range in gone { rest.remove(range) }
        #expect(ByteRangeSet(lookup.found) == rest)
        #expect(entries.lost == [second])
        let reading = try #require(entries.readings.first)
        #expect(entries.readings.count == 1)
        #expect(reading.damaged == (what == "bytes" ? [second] : []))
        #expect(reading.missing == gone)
        #expect(reading.cachedBytes + reading.networkBytes == 3_000_000)
        #expect(reading.cancelledRequests == 0)
        #expect(entries.sources == [.cache])
    }

    /// One that leaves says how many requests were cancelled for it; one that was never used, nothing.
    @Test func whoLeavesCancelsItsRequests() throws {
        let origin = try TestOrigin.video(bytes) { request, reply in
            if request.range?.last == nil { reply.sendsOnly = 300_000 }
            reply.fallsSilent = reply.sendsOnly != nil
        }
        let cache = place
        let diary = Diary()
        let loader = cache.loader(observer: diary)
        do {
            let reader = loader.reader(of: origin.url, range: nil)
            #expect(try reader.bytes(atLeast: 300_000).count == 300_000)
            _ = loader.reader(of: origin.url, range: nil)
            reader.cancel()
        }
        loader.close()
        let readings = diary.entries.readings
        #expect(readings.map(\.cancelledRequests) == [1])
        #expect(readings.map { $0.cachedBytes + $0.networkBytes } == [300_000])
        #expect(diary.entries.sources == [.network])
    }
}
