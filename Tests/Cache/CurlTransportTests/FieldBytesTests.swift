import Foundation
import Testing
import VideoCache

@testable import CurlTransport

/// The bytes of a field need not be UTF-8 (RFC 9110, 5.5).
///
/// Read as UTF-8, all bytes that are none became the same character: two versions had equal tags, and
/// a download that was ended between them was half the one and half the other, and called complete.
@Suite(.serialized) struct FieldBytesTests {
    private static let old = videoBytes(600_000, seed: 1)
    private static let new = videoBytes(600_000, seed: 2)

    /// Tags that differ in their bytes only, each byte one character.
    static let tags: [(String, String)] = [
        ("\"\u{E9}\"", "\"\u{E8}\""), ("\"\u{FF}\"", "\"\u{FE}\""), ("\"a\u{80}\"", "\"a\u{81}\""),
        // The same character for a reader of UTF-8, written in two ways.
        ("\"\u{C3}\u{A9}\"", "\"e\u{CC}\u{81}\""), ("\"\u{C3}\u{85}\"", "\"\u{E2}\u{84}\u{AB}\""),
        ("\"\u{C0}\u{80}\"", "\"\u{C1}\u{80}\""),
    ]

    /// An origin that has the old version until half of it has come, and then the new one.
    private func origin(_ tags: (String, String), honoursIfRange: Bool) throws -> TestOrigin {
        try TestOrigin { request in
            let isOld = request.number < 2
            var request = request
            if !honoursIfRange { request.headers["if-range"] = nil }
            var reply = TestOrigin.honest(
                request, isOld ? Self.old : Self.new, etag: isOld ? tags.0 : tags.1)
            if isOld, reply.body.count > 2 { reply.sendsOnly = 300_000 }
            return reply
        }
    }

    @Test(arguments: tags, [StorageLayout.file, .rows])
    func versionsThatDifferInSuchBytesAreNeverJoined(
        tags: (String, String), layout: StorageLayout
    ) throws {
        for honoursIfRange in [true, false] {
            let cache = try TemporaryCache(layout: layout)
            let origin = try origin(tags, honoursIfRange: honoursIfRange)
            #expect(throws: TransportError.self) { try cache.download(origin.url).run() }
            #expect(try cache.cache.cachedBytes(of: origin.url) == 300_000)
            #expect(try cache.store.video(url: origin.url)?.information.etag == tags.0)
            try cache.expectFetch(of: origin.url, brings: Self.new)
            // Sent byte for byte as it had come.
            #expect(origin.requests[2].headers["if-range"] == tags.0)
        }
    }

    @Test(arguments: tags) func aPlayerIsToldThatItHasChanged(tags: (String, String)) throws {
        let cache = try TemporaryCache()
        let origin = try origin(tags, honoursIfRange: true)
        #expect(throws: TransportError.self) { try cache.download(origin.url).run() }
        let loader = cache.loader()
        let reader = loader.reader(of: origin.url, range: nil)
        var bytes: [UInt8] = []
        let error = #expect(throws: DownloadError.self) {
            while let more = try reader.next() { bytes += more }
        }
        #expect(error == .changed(url: origin.url))
        #expect(bytes == Array(Self.old[..<300_000]))
        #expect(try loader.reader(of: origin.url, range: nil).all() == Self.new)
        loader.close()
    }

    /// One version is one, however its tag is written, and goes on where it was.
    @Test(arguments: tags.map(\.0), [StorageLayout.file, .rows])
    func aTagOfSuchBytesIsAValidator(tag: String, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let origin = try TestOrigin.video(Self.old, etag: tag) { request, reply in
            if request.number == 1 { reply.sendsOnly = 300_000 }
        }
        #expect(throws: TransportError.self) { try cache.download(origin.url).run() }
        try cache.expectFetch(of: origin.url, brings: Self.old)
        #expect(origin.ranges.last == "bytes=300000-")
    }

    /// Where a redirect leads in bytes that no address has; browsers percent-encode them.
    @Test(arguments: [
        ("/caf\u{E9}.mp4", "/caf%E9.mp4"), ("/my film.mp4", "/my%20film.mp4"),
        ("/a%20b\u{C3}\u{A9}?c=d e#f", "/a%20b%C3%A9?c=d%20e"),
    ])
    func aRedirectLeadsToItsBytes(name: String, path: String) throws {
        let origin = try TestOrigin { request in
            guard request.path == "/v.mp4" else { return TestOrigin.honest(request, Self.old) }
            let host = request.headers["host"] ?? ""
            return Reply(status: 302, headers: ["Location": "http://\(host)\(name)"])
        }
        let cache = try TemporaryCache()
        #expect(try cache.download(origin.url).run().isComplete)
        #expect(Set(origin.requests.map(\.path)) == ["/v.mp4", path])
    }

    /// A player took what followed it for another field (RFC 9110, 5.5).
    @Test func aLineEndWithinAValueIsABlank() throws {
        let origin = try TestOrigin { request in
            TestOrigin.honest(request, Self.old, etag: "\"a\rSet-Cookie: x=1\"")
        }
        let cache = try TemporaryCache()
        let information = try cache.loader().information(of: origin.url)
        #expect(information.etag == "\"a Set-Cookie: x=1\"")
    }

    /// A value that goes on in a second line, and a blank before the colon (RFC 9112, 5.1 and 5.2).
    @Test(arguments: [
        ("ETag", "\r\n \"v1\""), ("ETag", "\r\n\t\"v1\" "), ("ETag ", "\"v1\""),
        ("ETag\t", " \t\"v1\"\t"), ("X-Note", "a\r\n ETag: \"v2\"\r\nETag: \"v1\""),
    ])
    func aFieldInAnUnusualFormIsRead(name: String, value: String) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.old) { _, reply in
            reply.headers["ETag"] = nil
            reply.headers[name] = value
        }
        #expect(try cache.download(origin.url).run().isComplete)
        #expect(try cache.store.video(url: origin.url)?.information.etag == "\"v1\"")
    }
}
