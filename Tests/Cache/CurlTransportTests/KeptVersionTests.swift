import Testing
import VideoCache

@testable import CurlTransport

/// A 200 in answer to a resume used to clear the cache before any new bytes had come.
///
/// If the proxy ignored ranges, a 503 followed, or the connection was lost, everything saved before
/// was lost.
@Suite("What is cached stays until something better is committed (B5, B6)", .serialized)
struct KeptVersionTests {
    let cache: TemporaryCache
    let old = videoBytes(600_000, seed: 1)
    let new = videoBytes(700_000, seed: 2)

    init() throws { cache = try TemporaryCache() }

    @Test("a 200 with the same tag and length keeps everything, and fills the gaps only")
    func sameVersion() throws {
        let bytes = old
        let origin = try TestOrigin { _ in Reply(headers: ["ETag": "\"v1\""], body: bytes) }
        try cache.seed(origin.url, old, [0..<100_000, 300_000..<400_000])
        let number = try cache.cache.video(origin.url)?.id
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.storedBytes == 400_000)
        #expect(try cache.cache.video(origin.url)?.id == number)
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("an origin without ranges is fetched whole") func withoutRanges() throws {
        let bytes = old
        let origin = try TestOrigin { _ in Reply(headers: ["ETag": "\"v1\""], body: bytes) }
        #expect(try cache.download(origin.url).run().isComplete)
        #expect(origin.ranges == ["bytes=0-1", "none"])
        #expect(try cache.cache.video(origin.url)?.information.acceptsRanges == false)
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("bytes beyond the range that was announced are never stored") func tooMuch() throws {
        let bytes = old
        let origin = try TestOrigin.video(bytes) { request, reply in
            if request.range?.first == 100 {
                reply.headers["Content-Range"] = "bytes 100-199/600000"
            }
        }
        try cache.seed(origin.url, bytes, [0..<100])
        #expect(throws: DownloadError.self) { try cache.download(origin.url).run() }
        #expect(try cache.cache.cachedBytes(of: origin.url) == 200)
    }

    @Test("a 200 with the same tag that is cut keeps everything, and adds what came")
    func sameVersionCut() throws {
        let bytes = old
        let origin = try TestOrigin { _ in
            Reply(headers: ["ETag": "\"v1\""], body: bytes, sendsOnly: 150_000)
        }
        try cache.seed(origin.url, old, [0..<100_000, 300_000..<400_000])
        #expect(throws: TransportError.truncated(url: origin.url)) {
            try cache.download(origin.url).run()
        }
        #expect(
            try cache.cache.cachedRanges(of: origin.url).ranges
                == [ByteRange(from: 0, to: 150_000), ByteRange(from: 300_000, to: 400_000)])
    }

    /// What follows another version's 200 and brings none of its bytes.
    enum Trouble: CaseIterable, Sendable { case unavailable, cutAtOnce }

    @Test(
        "another version that never comes leaves the old one as it was", arguments: Trouble.allCases
    )
    func neverComes(trouble: Trouble) throws {
        let new = new
        let origin = try TestOrigin { request in
            if request.range != nil { return TestOrigin.honest(request, new, etag: "\"v2\"") }
            if trouble == .unavailable { return Reply(status: 503) }
            return Reply(headers: ["ETag": "\"v2\""], body: new, sendsOnly: 0)
        }
        try cache.seed(origin.url, old, [0..<300_000])
        let before = try cache.cache.video(origin.url)
        #expect(throws: (any Error).self) { try cache.download(origin.url).run() }
        #expect(try cache.cache.video(origin.url) == before)
        #expect(try cache.bytes(of: origin.url, count: 600_000) == Array(old[..<300_000]))
    }

    @Test("the first commit of another version replaces the old one, never half of each")
    func firstCommit() throws {
        let origin = try TestOrigin.video(new, etag: "\"v2\"") { request, reply in
            if request.range == nil { reply.sendsOnly = 10_000 }
        }
        try cache.seed(origin.url, old, [0..<300_000])
        #expect(throws: TransportError.truncated(url: origin.url)) {
            try cache.download(origin.url).run()
        }
        #expect(try cache.cache.video(origin.url)?.information.etag == "\"v2\"")
        #expect(try cache.cache.chunkCount(of: origin.url) == 1)
        #expect(try cache.bytes(of: origin.url, count: 700_000) == Array(new[..<10_000]))
    }

    /// It used to replace it: an origin that failed with an empty 200 deleted the cached half.
    @Test("another version without any bytes leaves the old one as it was") func emptied() throws {
        let origin = try TestOrigin { _ in Reply(headers: ["ETag": "\"v2\""]) }
        try cache.seed(origin.url, old, [0..<300_000])
        #expect(throws: DownloadError.notTheVideo(url: origin.url, answer: .empty)) {
            try cache.download(origin.url).run()
        }
        #expect(try cache.bytes(of: origin.url, count: 600_000) == Array(old[..<300_000]))
        try cache.cache.clear(origin.url)
        #expect(try cache.download(origin.url).run().isComplete)
    }
}
