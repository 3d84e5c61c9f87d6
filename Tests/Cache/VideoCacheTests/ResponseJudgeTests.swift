import Testing

@testable import VideoCache

/// Which answers bring which bytes, as a table of heads.
@Suite("The head of an answer is judged")
struct ResponseJudgeTests {
    private static let url = "http://h/v"
    private static let known = ContentInformation(
        length: 1000, mimeType: "video/mp4", acceptsRanges: true, etag: "\"v1\"")

    private func judge(
        _ target: HTTPRequest.Target, ifRange: String? = "\"v1\"", kept: Int64? = nil,
        told: Int64? = nil, _ status: Int, _ headers: [String: String]
    ) throws -> ResponseJudge.Verdict {
        var start: Int64 = 0
        if case .from(let position) = target { start = position }
        let request = HTTPRequest(url: Self.url, target: target, ifRange: ifRange, readSize: 1)
        return try ResponseJudge(
            request: request, start: start, known: Self.known,
            kept: kept.map { Belief.Kept(information: Self.known, end: $0) }, toldLength: told
        ).judge(HTTPResponseHead(status: status, headers: headers))
    }

    @Test(
        "nothing, and where the video ends",
        arguments: [
            (1000, "bytes */1000", .atEnd(length: 1000)),
            (1000, "bytes 1000-999/1000", .atEnd(length: 1000)),
            (500, "bytes */1000", .refused(toldLength: 1000)),
            (500, "bytes */20", .refused(toldLength: 20)),
            (500, "bytes 20-19/20", .refused(toldLength: 20)),
            (500, "bytes x", .refused(toldLength: nil)),
            (1000, "bytes */2000", .refused(toldLength: 2000)),
            // Another version ends where what is cached of this one does.
            (500, "bytes */500", .refused(toldLength: 500)),
            (500, "bytes 500-499/500", .refused(toldLength: 500)),
            (999, "bytes */999", .refused(toldLength: 999)),
            (1000, "bytes */999", .refused(toldLength: 999)),
            (0, "bytes */0", .refused(toldLength: 0)),
            (0, "bytes */1000", .refused(toldLength: 1000)),
        ] as [(Int64, String, ResponseJudge.Verdict)])
    func nothing(start: Int64, range: String, verdict: ResponseJudge.Verdict) throws {
        for status in [206, 416] {
            #expect(try judge(.from(start), status, ["Content-Range": range]) == verdict)
        }
    }

    /// While the length is not known, the answer tells it; an empty video needs a validator.
    @Test(
        "nothing, of a video of unknown length",
        arguments: [
            (500, "\"v1\"", "bytes */500", .atEnd(length: 500)),
            (500, nil, "bytes */500", .atEnd(length: 500)),
            (500, "\"v1\"", "bytes */400", .refused(toldLength: 400)),
            (500, "\"v1\"", "bytes */600", .refused(toldLength: 600)),
            (0, "\"v1\"", "bytes */0", .atEnd(length: 0)),
            (0, "W/\"v1\"", "bytes */0", .refused(toldLength: 0)),
            (0, nil, "bytes */0", .refused(toldLength: 0)),
        ] as [(Int64, String?, String, ResponseJudge.Verdict)])
    func nothingOfAnUnknownLength(
        start: Int64, etag: String?, range: String, verdict: ResponseJudge.Verdict
    ) throws {
        let known = ContentInformation(length: nil, acceptsRanges: true, etag: etag)
        let request = HTTPRequest(url: Self.url, target: .from(start), readSize: 1)
        let judge = ResponseJudge(request: request, start: start, known: known)
        for status in [206, 416] {
            let head = HTTPResponseHead(status: status, headers: ["Content-Range": range])
            #expect(try judge.judge(head) == verdict)
        }
    }

    @Test(
        "a part is known by its own validator where no condition was sent",
        arguments: [("\"v1\"", true), (nil, false), ("\"v2\"", false)])
    func unconditional(etag: String?, isKnown: Bool) throws {
        var headers = ["Content-Range": "bytes 500-999/1000"]
        headers["ETag"] = etag
        let verdict = try judge(.from(500), ifRange: nil, 206, headers)
        if case .body = verdict { #expect(isKnown) } else { #expect(!isKnown) }
    }

    /// A server that ignores `If-Range` sends a part of whatever it has.
    @Test(
        "a part that does not repeat the validator is not proven by the condition",
        arguments: [
            (["ETag": "\"v1\""], true), ([:], false),
            (["Last-Modified": "Fri, 01 Mar 2024 10:00:00 GMT"], false),
        ] as [([String: String], Bool)])
    func unnamed(headers: [String: String], isNamed: Bool) throws {
        let head = headers.merging(["Content-Range": "bytes 500-999/1000"]) { $1 }
        let verdict = try judge(.from(500), 206, head)
        #expect((verdict == .unnamed) == !isNamed)
    }

    @Test(
        "a whole that replaces what is cached, or does not",
        arguments: [
            (["Content-Length": "900", "ETag": "\"v2\""], true),
            (["Content-Length": "100", "ETag": "\"v2\""], true),
            (["Content-Length": "100", "ETag": "W/\"v2\""], true),
            (
                [
                    "Content-Length": "100", "Last-Modified": "Sat, 21 Nov 2026 03:00:00 GMT",
                    "Date": "Sat, 21 Nov 2026 04:00:00 GMT",
                ], true
            ),
            // A date of now names no version (K3).
            (
                [
                    "Content-Length": "100", "Last-Modified": "Sat, 21 Nov 2026 04:00:00 GMT",
                    "Date": "Sat, 21 Nov 2026 04:00:00 GMT",
                ], false
            ),
            (["Content-Length": "700"], true),
            (["Content-Length": "100"], false),
            (["Content-Length": "100", "ETag": "\"v1\""], false),
            (["Content-Length": "0", "ETag": "\"v2\""], false),
            (["Content-Length": "900", "ETag": "\"v2\"", "Content-Type": "image/png"], false),
            (["Content-Length": "900", "ETag": "\"v2\"", "Content-Type": "audio/mp4"], true),
            (["Content-Length": "900", "ETag": "\"v2\"", "Content-Type": "a/b"], true),
            (["Content-Length": "900", "Content-Range": "bytes 0-899/1000"], false),
            (["Content-Length": "900", "Content-Range": "bytes 0-899/900"], true),
            (["Content-Length": "900", "Content-Range": "who knows"], false),
            (["Content-Length": "9x"], false),
        ])
    func replaces(headers: [String: String], isBelieved: Bool) throws {
        for status in [200, 203] {
            let verdict = try? judge(.whole, kept: 600, status, headers)
            #expect((verdict != nil) == isBelieved)
            if case .body(_, _, _, let isKnown)? = verdict { #expect(!isKnown) }
        }
    }

    @Test("a 206 is the whole only if its range is")
    func wholeIn206() throws {
        let whole = try judge(.whole, 206, ["Content-Range": "bytes 0-999/1000", "ETag": "\"v1\""])
        guard case .body(0, 1000, _, true) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(throws: DownloadError.self) {
            try judge(.whole, 206, ["Content-Range": "bytes 0-998/1000"])
        }
    }

    /// A server of a CDN that had less counted as another version, by the tag of this very one.
    @Test(
        "less under a tag of the kept version is no other version", arguments: ["\"v1\"", "\"e2\""])
    func lessUnderAKnownTag(etag: String) throws {
        var known = Self.known
        known.otherETags = ["\"e2\""]
        known.lastModified = "Fri, 01 Mar 2024 10:00:00 GMT"
        let judge = ResponseJudge(
            request: HTTPRequest(url: Self.url, target: .whole, readSize: 1), start: 0,
            known: known, kept: Belief.Kept(information: known, end: 600))
        let head = HTTPResponseHead(
            status: 200,
            headers: [
                "Content-Length": "100", "ETag": etag,
                "Last-Modified": "Sat, 02 Mar 2024 10:00:00 GMT",
            ])
        #expect(
            throws: DownloadError.notTheVideo(
                url: Self.url, answer: .shorter(bytes: 100, kept: 600))
        ) { try judge.judge(head) }
    }

    @Test("parts with heads of their own are no bytes of the video")
    func multipart() throws {
        let headers = [
            "Content-Range": "bytes 500-999/1000", "ETag": "\"v1\"",
            "Content-Type": "Multipart/ByteRanges; boundary=x",
        ]
        #expect(try judge(.from(500), 206, headers) == .refused(toldLength: 1000))
    }

    @Test("a length that a 416 has told contradicts the same tag in chunks")
    func told() throws {
        let chunks = ["Transfer-Encoding": "chunked", "ETag": "\"v1\""]
        for (told, isSame) in [(nil, true), (1000, true), (20, false)] as [(Int64?, Bool)] {
            guard
                case .body(_, let end, _, let isKnown) = try judge(
                    .whole, kept: 600, told: told, 200, chunks)
            else { continue }
            #expect(isKnown == isSame)
            #expect(end == (isSame ? 1000 : nil))
        }
    }

    @Test(
        "kinds",
        arguments: [
            ("text/html;charset=x", .document), ("application/ld+json", .document),
            ("application/atom+xml", .document), ("image/svg+xml", .image), ("text/plain", .text),
            ("VIDEO/MP4", .video), ("audio/mpeg", .video), ("application/dash+xml", .other),
            ("application/octet-stream", .other), ("", .other), (nil, .other),
        ] as [(String?, MediaKind)])
    func kinds(type: String?, kind: MediaKind) { #expect(MediaKind(contentType: type) == kind) }

    @Test(
        "addresses of videos",
        arguments: [
            ("http://h/a.mp4", true), ("http://h/a.b/c.WebM?x=.html", true),
            ("http://h/mp4", false),
            ("http://h.mp4", false), ("http://h/a.mp4/", true), ("http://h/?v=a.mp4", false),
            ("http://h/a.php#a.mp4", false),
        ])
    func addresses(url: String, isVideo: Bool) {
        #expect((MediaKind(address: url) == .video) == isVideo)
    }
}
