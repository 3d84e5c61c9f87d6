import Foundation
import Testing
import VideoCache

@testable import CurlTransport

/// What a redirect says of itself is not said of the video.
///
/// With a careless change the tag of a redirect was joined to the video's, `"page", "video"`: no
/// request could go on with what was cached.
@Suite("No field of an earlier answer joins those of the video (K2)", .serialized)
struct RedirectFieldTests {
    private static let bytes = videoBytes(200_000)

    /// What a page says that leads somewhere else.
    private static let ofThePage = [
        "ETag": "\"page\"", "Content-Type": "text/html", "Cache-Control": "no-store",
        "Last-Modified": "Fri, 01 Mar 2024 10:00:00 GMT", "Accept-Ranges": "none",
        "Retry-After": "120", "Age": "7", "Vary": "*", "Content-Encoding": "gzip",
        "Content-Range": "bytes 0-4/5", "Expires": "0", "Set-Cookie": "a=b", "X-Only": "here",
    ]

    private static func origin(
        _ pages: Int, status: Int = 302, etag: String? = "\"video\""
    ) throws -> TestOrigin {
        try TestOrigin { request in
            let number = Int(request.path.split(separator: "-").last ?? "") ?? 0
            guard number < pages else { return TestOrigin.honest(request, Self.bytes, etag: etag) }
            var headers = Self.ofThePage
            headers["Location"] = "/page-\(number + 1)"
            return Reply(status: status, headers: headers, body: Array("there".utf8))
        }
    }

    private func get(_ origin: TestOrigin, _ way: Way = .direct) throws -> Collector {
        let collector = Collector()
        try quickTransport(way).perform(
            HTTPRequest(url: origin.url, target: .from(1_000), readSize: 16 << 10),
            handler: collector, cancellation: Cancellation())
        // It stops when it is released.
        withExtendedLifetime(origin) {}
        return collector
    }

    @Test(arguments: [301, 302, 303, 307, 308], Way.allCases)
    func theHeadIsThatOfTheVideoAlone(status: Int, way: Way) throws {
        let direct = try get(Self.origin(0))
        for pages in [1, 3] {
            let led = try get(Self.origin(pages, status: status), way)
            #expect(led.head?.status == 206)
            #expect(led.head?.headers == direct.head?.headers)
            #expect(led.bytes.elementsEqual(Self.bytes[1_000...]))
        }
        #expect(direct.head?["etag"] == "\"video\"")
        #expect(direct.head?["content-type"] == "video/mp4")
        #expect(direct.head?["x-only"] == nil)
    }

    /// Of a video without a tag the page's is none either.
    @Test func aFieldThatTheVideoLacksIsNotThePages() throws {
        let led = try get(Self.origin(2, etag: nil))
        #expect(led.head?["etag"] == nil)
        #expect(led.head?["last-modified"] == nil && led.head?["cache-control"] == nil)
    }

    @Test(arguments: StorageLayout.allCases, Way.allCases)
    func whatIsStoredIsWhatTheVideoSays(layout: StorageLayout, way: Way) throws {
        let cache = try TemporaryCache(layout: layout, way: way)
        let origin = try Self.origin(2)
        // A page that must not be stored keeps no video from being stored.
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.storedBytes == 200_000)
        let stored = try #require(try cache.cache.video(origin.url)).information
        #expect(stored.etag == "\"video\"" && stored.lastModified == nil)
        #expect(stored.mimeType == "video/mp4" && stored.length == 200_000)
        #expect(stored.acceptsRanges && stored.freshness == nil && stored.otherETags == [])
        #expect(try cache.bytes(of: origin.url, count: 200_000).elementsEqual(Self.bytes))
    }

    /// What is cached goes on under the video's own tag, and nothing is compared or fetched twice.
    @Test func theRestIsAskedForUnderTheVideosTag() throws {
        let cache = try TemporaryCache()
        let origin = try Self.origin(1)
        try cache.seed(origin.url, Self.bytes, [0..<50_000], etag: "\"video\"")
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.storedBytes == 150_000 && summary.requests == 1)
        #expect(origin.requests.map { $0.headers["if-range"] } == ["\"video\"", "\"video\""])
        #expect(origin.ranges == ["bytes=50000-", "bytes=50000-"])
    }

    @Test func aPlayerGetsTheVideoBehindAPage() throws {
        let cache = try TemporaryCache()
        let origin = try Self.origin(1)
        let loader = cache.loader()
        let information = try loader.information(of: origin.url)
        #expect(information.etag == "\"video\"" && information.mimeType == "video/mp4")
        #expect(try loader.reader(of: origin.url, range: nil).all().elementsEqual(Self.bytes))
        loader.close()
    }

    /// RFC 9110, 15.2: answers that come before the final one, such as early hints.
    @Test(arguments: [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nETag: \"page\"\r\nLink: <x>\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nETag: \"page\"\r\n\r\n"
            + "HTTP/1.1 103 Early Hints\r\nContent-Type: text/html\r\n\r\n",
    ])
    func anAnswerBeforeTheFinalOneSaysNothingOfIt(before: String) throws {
        let origin = try TestOrigin { _ in
            Reply(
                greeting: before
                    + "HTTP/1.1 206 Part\r\nContent-Length: 3\r\nETag: \"video\"\r\n\r\nabc")
        }
        let answer = try get(origin)
        #expect(answer.head?.status == 206)
        #expect(answer.head?.headers == ["content-length": "3", "etag": "\"video\""])
        #expect(answer.bytes == Array("abc".utf8))
    }

    /// After a 403 an origin is asked again with a `Referer`; its refusal has fields, too.
    @Test func aRefusalSaysNothingOfTheVideo() throws {
        let origin = try TestOrigin { request in
            request.headers["referer"] == nil
                ? Reply(status: 403, headers: Self.ofThePage, body: Array("no".utf8))
                : TestOrigin.honest(request, Self.bytes, etag: "\"video\"")
        }
        let direct = try get(Self.origin(0))
        let answer = try get(origin)
        #expect(origin.requests.count == 2)
        #expect(answer.head?.headers == direct.head?.headers)
        #expect(answer.bytes.elementsEqual(Self.bytes[1_000...]))
    }

    /// Within one head, fields of one name are a list (RFC 9110, 5.3), and equal ones are one.
    @Test func fieldsOfOneAnswerAreJoined() throws {
        let head = ["Vary: a", "Vary: b", "vary: a, b", "ETag: \"v\"", "ETag: \"v\"", "X-A: 1"]
        let origin = try TestOrigin { _ in
            Reply(
                greeting: "HTTP/1.1 200 Ok\r\n" + head.map { $0 + "\r\n" }.joined()
                    + "Content-Length: 1\r\n\r\na")
        }
        let answer = try get(origin)
        #expect(answer.head?["vary"] == "a, b")
        #expect(answer.head?["etag"] == "\"v\"")
        #expect(answer.head?["x-a"] == "1")
    }

    /// Where the last page leads nowhere, its own fields are all that there is.
    @Test func aRedirectWithoutAnAddressIsAnAnswer() throws {
        let origin = try TestOrigin { _ in
            Reply(status: 302, headers: ["ETag": "\"page\""], body: Array("no".utf8))
        }
        let answer = try get(origin)
        #expect(answer.head?.status == 302 && answer.head?["etag"] == "\"page\"")
    }
}
