import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// A whole used to be believed without proof, and three real situations cost what was cached.
///
/// A login page (200, HTML or JSON) in the place of the rest replaced 3.8 MB of video, with exit
/// code 0, and stayed after the login. One empty 200 made the video complete with 0 bytes for ever,
/// and on a resume deleted the cached half. A 200 with a part in it became "1.0 MB of 1.0 MB".
@Suite("What is cached gives way only to what shows that it is another version", .serialized)
struct UnprovenAnswerTests {
    private static let old = videoBytes(600_000, seed: 1)
    private static let cached = 0..<300_000

    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        private var reply: Reply
        /// True if a range is answered by 206, with the video's length and other bytes.
        var isInParts = false

        init(_ name: String, _ headers: [String: String], _ body: [UInt8], isChunked: Bool = false)
        {
            testDescription = name
            reply = Reply(headers: headers, body: body, isChunked: isChunked)
        }

        func inParts() -> Self {
            var answer = self
            answer.testDescription += ", in parts"
            answer.isInParts = true
            return answer
        }

        func reply(to request: SeenRequest) -> Reply {
            guard isInParts, let first = request.range?.first else { return reply }
            var part = reply
            part.status = 206
            part.headers["Content-Range"] = "bytes \(first)-599999/600000"
            part.body = Array(videoBytes(600_000, seed: 7)[first...])
            return part
        }
    }

    private static let page = Array("<p>log in first</p>".utf8)
    private static let tag = ["ETag": "\"v2\""]

    static let answers: [Answer] = [
        Answer("nothing", [:], []), Answer("nothing, in chunks", [:], [], isChunked: true),
        Answer("nothing, with a tag", tag, []),
        Answer("nothing, in chunks, with a date", ["Last-Modified": "x"], [], isChunked: true),
        Answer("HTML", ["Content-Type": "text/html; charset=utf-8"], page),
        Answer("HTML with a tag", ["Content-Type": "Text/HTML", "ETag": "\"p\""], page),
        Answer("JSON", ["Content-Type": "application/problem+json"], page),
        Answer("XML, longer than the video", ["Content-Type": "text/xml"], videoBytes(700_000)),
        Answer("HTML in chunks", ["Content-Type": "text/html"], page, isChunked: true),
        Answer("a picture with a tag", tag.merging(["Content-Type": "image/gif"]) { $1 }, page),
        Answer("text with a tag", tag.merging(["Content-Type": "text/plain"]) { $1 }, page),
        Answer("less, and no type", [:], page),
        Answer("less, and no type, in chunks", [:], page, isChunked: true),
        Answer("less, with the same tag", ["ETag": "\"v1\""], Array(old[..<200_000])),
        Answer(
            "a part", tag.merging(["Content-Range": "bytes 0-399999/600000"]) { $1 },
            Array(old[..<400_000])),
        Answer(
            "a part, without its total", tag.merging(["Content-Range": "bytes 0-399999/*"]) { $1 },
            Array(old[..<400_000])),
        Answer(
            "parts", tag.merging(["Content-Type": "multipart/byteranges; boundary=x"]) { $1 },
            videoBytes(500_000)),
        Answer("HTML", ["Content-Type": "text/html"], page).inParts(),
        Answer("JSON", ["Content-Type": "application/json"], page).inParts(),
        Answer("a picture", ["Content-Type": "image/png"], page).inParts(),
        Answer("text", ["Content-Type": "text/plain"], page).inParts(),
    ]

    private static func isRefusal(_ error: any Error) -> Bool {
        guard case DownloadError.notTheVideo = error else { return false }
        return "\(error)".contains("; ")
    }

    private func check(
        _ answer: Answer, _ layout: StorageLayout,
        _ meet: (TemporaryCache, _ url: String) throws -> Void
    ) throws {
        let cache = try TemporaryCache(layout: layout)
        let stands = Flag()
        stands.set()
        let origin = try TestOrigin { request in
            stands.value ? answer.reply(to: request) : TestOrigin.honest(request, Self.old)
        }
        try cache.seed(origin.url, Self.old, [Self.cached])
        let before = try cache.cache.video(origin.url)
        try meet(cache, origin.url)
        #expect(try cache.cache.video(origin.url) == before)
        #expect(try cache.bytes(of: origin.url, count: 600_000) == Array(Self.old[Self.cached]))
        stands.set(false)
        #expect(try cache.download(origin.url).run().storedBytes == 300_000)
        #expect(try cache.bytes(of: origin.url, count: 600_000) == Self.old)
    }

    @Test(
        "by a fetch, which fails and goes on later", arguments: answers,
        [StorageLayout.file, .rows])
    func fetch(answer: Answer, layout: StorageLayout) throws {
        try check(answer, layout) { cache, url in
            #expect { try cache.download(url, retry: .atOnce(2)).run() } throws: {
                Self.isRefusal($0)
            }
        }
    }

    @Test(
        "by a player, which gets what is cached", arguments: answers, [StorageLayout.file, .rows])
    func player(answer: Answer, layout: StorageLayout) throws {
        try check(answer, layout) { (cache: TemporaryCache, url: String) throws in
            let loader = cache.loader(retry: .atOnce(2))
            let reader = loader.reader(of: url, range: nil)
            let bytes = try reader.bytes(atLeast: 300_000)
            #expect(bytes == Array(Self.old[Self.cached]))
            #expect { try reader.all().count } throws: { Self.isRefusal($0) }
            loader.close()
        }
    }

    @Test("a page comes first: nothing of it is kept where the address names a video")
    func firstAnswer() throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin { request in
            var reply = Reply(
                headers: ["Content-Type": "text/html", "ETag": "\"p\""], body: Self.page)
            if request.path.hasSuffix("mp4") { reply.headers["ETag"] = nil }
            return reply
        }
        #expect { try cache.download(origin.url).run() } throws: { Self.isRefusal($0) }
        #expect { try cache.loader().information(of: origin.url) } throws: { Self.isRefusal($0) }
        #expect(try cache.cache.video(origin.url) == nil)
        let inParts = try TestOrigin.video(Self.page) { _, reply in
            reply.headers["Content-Type"] = "image/gif"
        }
        #expect { try cache.download(inParts.url).run() } throws: { Self.isRefusal($0) }
        #expect { try cache.loader().information(of: inParts.url) } throws: { Self.isRefusal($0) }
        // Elsewhere a page may be what is wanted.
        let page = origin.url.replacing("v.mp4", with: "watch?v=mp4")
        #expect(try cache.download(page).run().isComplete)
    }

    @Test("a page that gave way to the video is replaced") func pageBefore() throws {
        let cache = try TemporaryCache()
        let hasLoggedIn = Flag()
        let origin = try TestOrigin { request in
            hasLoggedIn.value
                ? TestOrigin.honest(request, Self.old)
                : Reply(
                    headers: ["Content-Type": "text/html", "ETag": "\"p\""], body: Self.page,
                    sendsOnly: 5)
        }
        let url = origin.url.replacing("v.mp4", with: "watch")
        #expect(throws: TransportError.self) { try cache.download(url).run() }
        #expect(try cache.cache.cachedBytes(of: url) == 5)
        hasLoggedIn.set(true)
        try cache.expectFetch(of: url, brings: Self.old)
    }
}

/// An empty answer was complete with 0 bytes, and was never asked for again.
@Suite("No bytes are a video only with a validator, and are asked for again", .serialized)
struct EmptyAnswerTests {
    private static let video = videoBytes(100_000)

    enum Nothing: CaseIterable, Sendable {
        case length, chunks, unsatisfiable, atTheEnd

        func reply(_ headers: [String: String], hasRange: Bool) -> Reply {
            switch self {
            case .length: Reply(headers: headers)
            case .chunks: Reply(headers: headers, isChunked: true)
            case .unsatisfiable where hasRange:
                Reply(status: 416, headers: headers.merging(["Content-Range": "bytes */0"]) { $1 })
            case .atTheEnd where hasRange:
                Reply(
                    status: 206, headers: headers.merging(["Content-Range": "bytes 0-0/0"]) { $1 })
            case .unsatisfiable, .atTheEnd: Reply(headers: headers)
            }
        }
    }

    private func origin(
        _ nothing: Nothing, _ headers: [String: String], while isEmpty: Flag
    ) throws -> TestOrigin {
        try TestOrigin { request in
            isEmpty.value
                ? nothing.reply(headers, hasRange: request.range != nil)
                : TestOrigin.honest(request, Self.video)
        }
    }

    @Test("without one it is an error", arguments: Nothing.allCases, [StorageLayout.file, .rows])
    func unproven(nothing: Nothing, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let isEmpty = Flag()
        isEmpty.set()
        let origin = try origin(nothing, [:], while: isEmpty)
        #expect(throws: DownloadError.notTheVideo(url: origin.url, answer: .empty)) {
            try cache.download(origin.url).run()
        }
        let loader = cache.loader()
        #expect(throws: DownloadError.notTheVideo(url: origin.url, answer: .empty)) {
            try loader.reader(of: origin.url, range: nil).all()
        }
        isEmpty.set(false)
        #expect(try loader.reader(of: origin.url, range: nil).all() == Self.video)
        loader.close()
        #expect(try cache.download(origin.url).run().isComplete)
    }

    @Test("with one it is complete, until it has bytes", arguments: Nothing.allCases)
    func proven(nothing: Nothing) throws {
        let cache = try TemporaryCache()
        let isEmpty = Flag()
        isEmpty.set()
        let origin = try origin(nothing, ["ETag": "\"e\""], while: isEmpty)
        for _ in 0..<2 {
            let asked = origin.requests.count
            let summary = try cache.download(origin.url).run()
            #expect(summary.isComplete && summary.length == 0)
            #expect(origin.requests.count > asked, "it is asked for again")
        }
        let loader = cache.loader()
        #expect(try loader.reader(of: origin.url, range: nil).all().isEmpty)
        isEmpty.set(false)
        #expect(try loader.reader(of: origin.url, range: nil).all() == Self.video)
        loader.close()
    }
}
