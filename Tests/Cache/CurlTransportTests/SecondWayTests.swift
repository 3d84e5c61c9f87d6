import Foundation
import Testing
import VideoCache

@testable import CurlTransport

/// Servers, and programs before them, that refuse one form of a request were given up: "check the
/// address", although a plain GET would have brought the video.
@Suite("An origin that refuses one form of a request is asked in another", .serialized)
struct SecondWayTests {
    private static let video = videoBytes(600_000, seed: 3)

    /// An origin's way to refuse a range; a plain GET gets the whole.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reply: @Sendable (SeenRequest) -> Reply

        static func status(_ code: Int) -> Self {
            Self(testDescription: "\(code)") { _ in Reply(status: code) }
        }

        static func range(_ text: String) -> Self {
            Self(testDescription: "206 with \(text)") { _ in
                Reply(status: 206, headers: ["Content-Range": text], body: [1, 2, 3])
            }
        }
    }

    static let refusals: [Refusal] =
        [400, 403, 405, 406, 409, 412, 415, 416, 431, 500, 501, 502, 503, 504, 505, 520]
        .map(Refusal.status)
        + ["bytes 5-7/600000", "bytes x-y/600000", "lines 0-2/600000", "bytes 0-600000/600000"]
        .map(Refusal.range)
        + [
            Refusal(testDescription: "503 that asks to wait") { _ in
                Reply(status: 503, headers: ["Retry-After": "1"])
            },
            Refusal(testDescription: "an empty 200") { _ in Reply() },
        ]

    private func origin(_ refusal: Refusal) throws -> TestOrigin {
        try TestOrigin { request in
            request.headers["range"] == nil
                ? TestOrigin.honest(request, Self.video) : refusal.reply(request)
        }
    }

    @Test("a first fetch, and one that goes on", arguments: refusals)
    func fetch(refusal: Refusal) throws {
        let cache = try TemporaryCache()
        let origin = try origin(refusal)
        try cache.expectFetch(of: origin.url, retry: .atOnce(1), brings: Self.video)
        let half = try TemporaryCache(layout: .rows)
        try half.seed(origin.url, Self.video, [0..<200_000, 500_000..<600_000])
        let summary = try half.download(origin.url, retry: .atOnce(1)).run()
        #expect(summary.isComplete && summary.storedBytes == 300_000)
        #expect(origin.ranges.last == "none")
    }

    @Test("a player that begins, and one that goes on", arguments: refusals)
    func player(refusal: Refusal) throws {
        for seeded in [[], [0..<200_000]] {
            let cache = try TemporaryCache()
            let origin = try origin(refusal)
            if !seeded.isEmpty { try cache.seed(origin.url, Self.video, seeded) }
            let loader = cache.loader(retry: .atOnce(1))
            #expect(try loader.information(of: origin.url).length == 600_000)
            #expect(try loader.reader(of: origin.url, range: nil).all() == Self.video)
            loader.close()
        }
    }

    @Test(
        "what is not about the form is not asked again", arguments: [401, 404, 407, 410, 429, 451])
    func otherReasons(status: Int) throws {
        let cache = try TemporaryCache()
        let origin = try origin(.status(status))
        #expect(throws: DownloadError.status(url: origin.url, code: status)) {
            try cache.download(origin.url).run()
        }
        #expect(origin.requests.count == 1)
    }

    /// The tail of 64 MB took 17 s: `If-Range` was answered by the whole, which was read to its end.
    @Test(
        "If-Range answered by the whole of the same version: asked without it",
        arguments: [["ETag": "\"v1\""], ["Last-Modified": "Fri, 01 Mar 2024 10:00:00 GMT"]])
    func ignoredCondition(validator: [String: String]) throws {
        let origin = try TestOrigin { request in
            var request = request
            if request.headers["if-range"] != nil { request.headers["range"] = nil }
            request.headers["if-range"] = nil
            var reply = TestOrigin.honest(request, Self.video, etag: nil)
            reply.headers.merge(validator) { $1 }
            return reply
        }
        for layout in [StorageLayout.file, .rows] {
            let cache = try TemporaryCache(layout: layout)
            try cache.seed(
                origin.url, Self.video, [0..<550_000], etag: validator["ETag"],
                date: validator["Last-Modified"])
            let summary = try cache.download(origin.url).run()
            #expect(summary.isComplete && summary.storedBytes == 50_000)
            #expect(
                origin.ranges.last == "bytes=550000-"
                    && origin.requests.last?.headers["if-range"] == nil)
            let player = try TemporaryCache(layout: layout)
            try player.seed(
                origin.url, Self.video, [0..<550_000], etag: validator["ETag"],
                date: validator["Last-Modified"])
            #expect(try player.play(origin.url) == Self.video)
            #expect(origin.ranges.last == "bytes=550000-")
        }
    }

    @Test(
        "without the condition, another version is told by the answer's own validator",
        arguments: ["\"v2\"", "W/\"v1\"", nil])
    func unprovenPart(etag: String?) throws {
        let new = videoBytes(600_000, seed: 9)
        let origin = try TestOrigin { request in
            guard request.headers["if-range"] == nil else {
                return Reply(headers: ["ETag": "\"v1\""], body: Self.video)
            }
            var reply = TestOrigin.honest(request, new, etag: etag)
            if request.range == nil { reply.headers["ETag"] = "\"v2\"" }
            return reply
        }
        let cache = try TemporaryCache()
        try cache.seed(origin.url, Self.video, [0..<200_000])
        try cache.expectFetch(of: origin.url, brings: new)
    }

    /// What a program makes of a range that begins at the end: 69 for ever, only `clear` helped.
    @Test(
        "a request at the end that is refused begins anew",
        arguments: [
            "bytes 250000-249999/250000", "bytes */250000", "bytes  250000 - 249999 / 250000",
        ])
    func atTheEnd(text: String) throws {
        let new = videoBytes(250_000, seed: 8)
        let origin = try TestOrigin { request in
            request.range.map { $0.first >= 250_000 } ?? false
                ? Reply(status: 206, headers: ["Content-Range": text, "ETag": "\"v2\""])
                : TestOrigin.honest(request, new, etag: "\"v2\"")
        }
        for layout in [StorageLayout.file, .rows] {
            let cache = try TemporaryCache(layout: layout)
            try cache.seed(origin.url, Self.video, [0..<300_000])
            try cache.expectFetch(of: origin.url, brings: new)
        }
    }

    @Test(
        "words that are no coding do not encode",
        arguments: [
            ("", true), ("UTF-8", true), ("aws-chunked", true), ("identity, identity", true),
            ("identity,", true), ("iso-8859-1", true), ("gzip", false), ("identity, br", false),
            ("aws-chunked, gzip", false), ("zstd", false), ("x-unheard-of", false),
        ])
    func codings(coding: String, isNone: Bool) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.video) { _, reply in
            reply.headers["Content-Encoding"] = coding
        }
        let result = Result { try cache.download(origin.url).run() }
        if isNone {
            #expect(try result.get().isComplete)
            #expect(try cache.bytes(of: origin.url, count: 700_000) == Self.video)
        } else {
            #expect(throws: DownloadError.encoded(url: origin.url, encoding: coding)) {
                try result.get()
            }
        }
    }
}
