import Foundation
import Synchronization
import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// The same date, no tag, another length: what a copy that keeps dates leaves behind.
///
/// Sent in chunks, it played and was kept as 1 MB of the old and 1 MB of the new video, as 100 %.
/// A `fetch` of a shorter one said "was damaged" for ever.
@Suite("A length contradicts a validator", .serialized) struct LengthContradictionTests {
    private static let date = "Fri, 01 Mar 2024 10:00:00 GMT"
    private static let old = videoBytes(600_000, seed: 1)

    enum Way: CaseIterable, Sendable {
        case chunks, chunksAnd416, length, ranges

        func reply(_ request: SeenRequest, _ new: [UInt8]) -> Reply {
            var request = request
            // The date is the same, so the condition holds.
            request.headers["if-range"] = nil
            var reply = TestOrigin.honest(request, new, etag: nil)
            if self != .ranges, request.range != nil {
                if self == .chunksAnd416, request.range?.first ?? 0 >= new.count { return reply }
                reply = Reply(body: new)
            }
            reply.headers["Last-Modified"] = LengthContradictionTests.date
            reply.isChunked = reply.status == 200 && [.chunks, .chunksAnd416].contains(self)
            return reply
        }
    }

    @Test(
        "the new version is fetched, whole", arguments: Way.allCases, [400_000, 599_999, 900_000])
    func fetch(way: Way, count: Int) throws {
        for layout in [StorageLayout.file, .rows] {
            let cache = try TemporaryCache(layout: layout)
            let new = videoBytes(count, seed: 2)
            let origin = try TestOrigin { way.reply($0, new) }
            try cache.seed(
                origin.url, Self.old, [0..<350_000, 500_000..<550_000], etag: nil, date: Self.date)
            try cache.expectFetch(of: origin.url, retry: .atOnce(2), brings: new)
        }
    }

    @Test("a player never gets both", arguments: Way.allCases, [400_000, 599_999, 900_000])
    func player(way: Way, count: Int) throws {
        for layout in [StorageLayout.file, .rows] {
            let cache = try TemporaryCache(layout: layout)
            let new = videoBytes(count, seed: 2)
            let origin = try TestOrigin { way.reply($0, new) }
            try cache.seed(origin.url, Self.old, [0..<350_000], etag: nil, date: Self.date)
            let loader = cache.loader()
            let reader = loader.reader(of: origin.url, range: nil)
            var bytes: [UInt8] = []
            #expect(throws: DownloadError.changed(url: origin.url)) {
                while let more = try reader.next() { bytes += more }
            }
            #expect(bytes == Array(Self.old[..<bytes.count]))
            #expect(try loader.reader(of: origin.url, range: nil).all() == new)
            loader.close()
            #expect(try cache.bytes(of: origin.url, count: 1_000_000) == new)
        }
    }

    @Test("a total that a 416 tells is believed", arguments: [StorageLayout.file, .rows])
    func toldBy416(layout: StorageLayout) throws {
        let new = videoBytes(20_000, seed: 3)
        let origin = try TestOrigin { request in
            request.range == nil
                ? Reply(headers: ["ETag": "\"v1\""], body: new, isChunked: true)
                : Reply(status: 416, headers: ["Content-Range": "bytes */20000"])
        }
        let cache = try TemporaryCache(layout: layout)
        try cache.seed(origin.url, Self.old, [0..<350_000])
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.length == 20_000)
        #expect(try cache.bytes(of: origin.url, count: 700_000) == new)
    }

    @Test("the same tag and a body in chunks that ends elsewhere is an error, and nothing is lost")
    func sameTag() throws {
        for count in [500_000, 700_000] {
            let new = videoBytes(count, seed: 1)
            let origin = try TestOrigin { _ in
                Reply(headers: ["ETag": "\"v1\""], body: new, isChunked: true)
            }
            let cache = try TemporaryCache()
            try cache.seed(origin.url, Self.old, [0..<350_000])
            #expect(throws: DownloadError.self) { try cache.download(origin.url).run() }
            #expect(try cache.cache.video(origin.url)?.information.length == 600_000)
            #expect(try cache.cache.cachedBytes(of: origin.url) >= 350_000)
        }
    }
}

/// "Fetch again" was said for ever where an origin never tells a length.
@Suite("A body that only the end of its connection delimits", .serialized)
struct UnannouncedLengthTests {
    private static let video = videoBytes(600_000, seed: 4)

    private final class Ends: CacheObserver {
        let noted = Mutex<[Int64]>([])

        func requestBegan(url: String, start: Int64) -> any RequestObserver { Line(ends: self) }

        private struct Line: RequestObserver {
            let ends: Ends

            func endedUnannounced(at position: Int64) {
                ends.noted.withLock { $0.append(position) }
            }
        }
    }

    @Test(
        "is complete when the connection is closed in order", arguments: [[:], ["ETag": "\"v1\""]])
    func complete(headers: [String: String]) throws {
        for layout in [StorageLayout.file, .rows] {
            let origin = try TestOrigin { _ in
                Reply(headers: headers, body: Self.video, endsWithConnection: true)
            }
            let cache = try TemporaryCache(layout: layout)
            let ends = Ends()
            #expect(try cache.download(origin.url, observer: ends).run().isComplete)
            #expect(try cache.bytes(of: origin.url, count: 700_000) == Self.video)
            #expect(ends.noted.withLock { $0 } == [600_000])
            let asked = origin.requests.count
            #expect(try cache.download(origin.url).run().isComplete)
            #expect(origin.requests.count == asked)
        }
    }

    @Test("is not complete when the connection is reset") func reset() throws {
        let origin = try TestOrigin { _ in
            Reply(body: Self.video, sendsOnly: 500_000, endsWithConnection: true, resets: true)
        }
        let cache = try TemporaryCache()
        let ends = Ends()
        #expect(throws: TransportError.self) {
            try cache.download(origin.url, observer: ends, retry: .atOnce(1)).run()
        }
        let other = try TemporaryCache()
        let loader = other.loader(observer: ends)
        // Or, where the reset took the first bytes with it, of the attempt after it: without a
        // validator its bytes may be of another version.
        let error = #expect(throws: (any Error).self) {
            try loader.reader(of: origin.url, range: nil).all().count
        }
        #expect(
            error is TransportError || error as? DownloadError == .changed(url: origin.url),
            "\(error as Any)")
        loader.close()
        #expect(try cache.cache.video(origin.url)?.information.length == nil)
        #expect(ends.noted.withLock { $0 }.isEmpty)
    }

    @Test(
        "is not complete where another length was told", arguments: [400_000, 700_000],
        [nil, "\"v1\""])
    func otherLength(count: Int, etag: String?) throws {
        let origin = try TestOrigin { request in
            var request = request
            request.headers["if-range"] = nil
            guard request.range?.last == nil else {
                return TestOrigin.honest(request, Self.video, etag: etag)
            }
            var reply = Reply(
                body: videoBytes(count, seed: 4), sendsOnly: count, endsWithConnection: true)
            reply.headers["ETag"] = etag
            return reply
        }
        let cache = try TemporaryCache()
        #expect(throws: DownloadError.self) {
            try cache.download(origin.url, retry: .atOnce(2)).run()
        }
        #expect(try cache.cache.video(origin.url)?.information.length == 600_000)
        #expect(try cache.cache.cachedBytes(of: origin.url) < 600_000)
        // A player of the longer one has all that was told when the surplus comes.
        guard count < 600_000 else { return }
        let loader = cache.loader()
        #expect(throws: DownloadError.self) {
            try loader.reader(of: origin.url, range: nil).all().count
        }
        loader.close()
    }
}
