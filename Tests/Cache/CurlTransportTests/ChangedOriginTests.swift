import Foundation
import Testing
import VideoCache

@testable import CurlTransport

@Suite("What is cached is never stitched to other bytes", .serialized) struct ChangedOriginTests {
    let cache: TemporaryCache
    let old = videoBytes(600_000, seed: 1)
    let new = videoBytes(700_000, seed: 2)

    init() throws { cache = try TemporaryCache() }

    enum Change: CaseIterable, Sendable {
        case answers200, otherETag, otherLength, beyondTheEnd, weakETag

        func reply(_ request: SeenRequest, _ new: [UInt8]) -> Reply {
            guard self != .answers200, request.range != nil else {
                return TestOrigin.honest(request, new, etag: "\"v2\"")
            }
            var unconditional = request
            unconditional.headers["if-range"] = nil
            switch self {
            case .otherETag: return TestOrigin.honest(unconditional, new, etag: "\"v2\"")
            case .weakETag: return TestOrigin.honest(unconditional, new, etag: "W/\"v1\"")
            case .otherLength: return TestOrigin.honest(unconditional, new, etag: nil)
            case .answers200, .beyondTheEnd:
                return Reply(status: 416, headers: ["Content-Range": "bytes */\(new.count)"])
            }
        }
    }

    @Test("a change drops the cache and fetches the whole anew", arguments: Change.allCases)
    func changed(change: Change) throws {
        let new = new
        let origin = try TestOrigin { change.reply($0, new) }
        try cache.seed(origin.url, old, [0..<300_000])
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.length == 700_000)
        #expect(try cache.bytes(of: origin.url, count: 800_000) == new)
        #expect(origin.ranges == ["bytes=300000-", "none"])
    }

    @Test("an origin without ranges is fetched whole, and kept when its tag says the same")
    func withoutRanges() throws {
        let bytes = old
        let origin = try TestOrigin { _ in Reply(headers: ["ETag": "\"v1\""], body: bytes) }
        #expect(try cache.download(origin.url).run().isComplete)
        #expect(origin.ranges == ["bytes=0-1", "none"])
        #expect(try cache.cache.video(origin.url)?.information.acceptsRanges == false)
        let video = try #require(try cache.cache.video(origin.url))
        try cache.store.discard(ByteRange(offset: 0, length: 400_000), of: video)
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete)
        #expect(summary.storedBytes < 600_000, "bytes that are there are not stored again")
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("a length that only the end tells is noted then") func unknownLength() throws {
        let bytes = old
        let origin = try TestOrigin { _ in Reply(body: bytes, isChunked: true) }
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.length == 600_000)
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
    }

    @Test("an empty video is complete once an answer has shown its tag") func empty() throws {
        let origin = try TestOrigin { TestOrigin.honest($0, []) }
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.length == 0)
        #expect(origin.ranges == ["bytes=0-1", "none"], "the 416 has no tag")
    }

    /// An answer without usable bytes, which must leave the cache unchanged.
    static let refusals: [(name: String, reply: Reply)] = [
        ("missing", Reply(status: 404)), ("broken", Reply(status: 500, body: Array("sorry".utf8))),
        (
            "encoded",
            Reply(
                status: 206,
                headers: ["Content-Range": "bytes 3-9/600000", "Content-Encoding": "gzip"],
                body: [1, 2, 3])
        ),
        (
            "from elsewhere",
            Reply(
                status: 206, headers: ["Content-Range": "bytes 100-109/600000"],
                body: [UInt8](repeating: 0, count: 10))
        ),
        ("of no range", Reply(status: 206, body: [1, 2, 3])),
        ("past its end", Reply(status: 416, headers: ["Content-Range": "bytes */600000"])),
    ]

    @Test("an answer that cannot be used is an error and changes nothing", arguments: refusals)
    func refused(name: String, reply: Reply) throws {
        let origin = try TestOrigin { _ in reply }
        try cache.seed(origin.url, old, [0..<3])
        let error = #expect(throws: DownloadError.self) { try cache.download(origin.url).run() }
        #expect(error?.description.contains("; ") == true, "the text ends in what to do")
        #expect(try cache.bytes(of: origin.url, count: 10) == Array(old[..<3]))
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
}
