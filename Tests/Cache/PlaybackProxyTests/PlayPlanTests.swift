import LoopbackHTTP
import Testing
import VideoCache

@testable import PlaybackProxy

/// The answer to a request, given what is known of the video (RFC 9110, 13 and 14).
@Suite struct PlayPlanTests {
    private static let date = "Sat, 21 Nov 2026 03:00:00 GMT"
    private static let video = ContentInformation(
        length: 1000, mimeType: "video/mp4", acceptsRanges: true, etag: "\"v1\"",
        lastModified: date)

    private func plan(
        _ fields: [String: String?], of information: ContentInformation = Self.video
    ) throws -> PlayPlan {
        let fields = fields.compactMapValues(\.self)
        let plan = try PlayPlan(answering: RequestHead(fields: fields), with: information)
        // HEAD and GET agree in every header, for any request.
        let head = RequestHead("HEAD", fields: fields)
        #expect(try PlayPlan(answering: head, with: information) == plan)
        return plan
    }

    private func refusal(
        _ fields: [String: String], version: String = "HTTP/1.1",
        of information: ContentInformation = Self.video
    ) -> Refusal? {
        let request = RequestHead("GET", "/", version, fields: fields)
        return #expect(throws: Refusal.self) { try PlayPlan(answering: request, with: information) }
    }

    @Test func withoutRangeTheWholeIs200() throws {
        let plan = try plan([:])
        #expect(plan.status == 200 && plan.body == .range(ByteRange(offset: 0, length: 1000)))
        #expect(
            plan.headers == [
                "Content-Type": "video/mp4", "ETag": "\"v1\"", "Last-Modified": Self.date,
                "Accept-Ranges": "bytes", "Content-Length": "1000",
            ])
    }

    /// With 200 to `bytes=0-` ffmpeg takes it that it cannot seek (flutter_video_caching #49).
    @Test(
        arguments: [
            ("bytes=0-", "bytes 0-999/1000", 1000), ("bytes=0-999", "bytes 0-999/1000", 1000),
            ("bytes=-500", "bytes 500-999/1000", 500), ("bytes=5-6,0-1", "bytes 5-6/1000", 2),
        ] as [(String, String, Int64)])
    func anyRangeIs206(range: String, contentRange: String, length: Int64) throws {
        let plan = try plan(["Range": range])
        #expect(plan.status == 206 && plan.headers["Content-Range"] == contentRange)
        #expect(plan.headers["Content-Length"] == "\(length)" && plan.count == length)
    }

    @Test func aRangeBeyondTheEndIs416() {
        let answer = refusal(["Range": "bytes=1000-"])
        #expect(answer?.status == 416 && answer?.headers["Content-Range"] == "bytes */1000")
    }

    @Test func whatIsNoRangeIsIgnored() throws {
        #expect(try plan(["Range": "items=0-1"]).status == 200)
    }

    @Test(arguments: [
        ("\"v1\"", 206), ("\"v2\"", 200), ("W/\"v1\"", 200), (date, 206),
        ("Sat, 21 Nov 2026 03:00:01 GMT", 200), ("v1", 200),
    ])
    func ifRangeComparesStrongly(validator: String, status: Int) throws {
        let plan = try plan(["Range": "bytes=1-2", "If-Range": validator])
        #expect(plan.status == status)
        #expect(plan.count == (status == 206 ? 2 : 1000))
    }

    @Test func aWeakTagNeverContinuesARange() throws {
        var weak = Self.video
        weak.etag = "W/\"v1\""
        #expect(
            try plan(["Range": "bytes=1-2", "If-Range": "W/\"v1\""], of: weak).status == 200
        )
    }

    @Test(arguments: [
        ("\"v1\"", 304), ("W/\"v1\"", 304), ("\"a\", \"v1\"", 304), ("\"a,b\", W/\"v1\"", 304),
        ("*", 304), ("\"v2\"", 206), ("v1", 206), ("", 206),
    ])
    func ifNoneMatchComparesWeakly(list: String, status: Int) throws {
        let plan = try plan(["Range": "bytes=0-", "If-None-Match": list])
        #expect(plan.status == status && plan.headers["ETag"] == "\"v1\"")
        #expect((plan.body == .none) == (status == 304))
    }

    @Test func ifModifiedSinceCountsOnlyWithoutIfNoneMatch() throws {
        #expect(try plan(["If-Modified-Since": Self.date]).status == 304)
        #expect(
            try plan(["If-Modified-Since": "Sat, 21 Nov 2026 02:00:00 GMT"]).status == 200)
        #expect(
            try plan(["If-None-Match": "\"v2\"", "If-Modified-Since": Self.date]).status == 200
        )
    }

    @Test func ifMatchOfAnotherVersionIs412() throws {
        #expect(refusal(["If-Match": "\"v2\", W/\"v1\""])?.status == 412)
        #expect(try plan(["If-Match": "\"v2\", \"v1\""]).status == 200)
        #expect(try plan(["If-Match": "*"]).status == 200)
    }

    @Test func anUnknownLengthPromisesNothing() throws {
        let unknown = ContentInformation(length: nil, acceptsRanges: false, etag: "\"v1\"")
        for range in [nil, "bytes=0-", "bytes=5-6"] {
            let plan = try plan(["Range": range], of: unknown)
            #expect(plan.status == 200)
            #expect(plan.headers == ["ETag": "\"v1\"", "Accept-Ranges": "none"])
            #expect(plan.body == .toTheEnd)
        }
        #expect(refusal([:], version: "HTTP/1.0", of: unknown)?.status == 505)
        #expect(try plan(["If-None-Match": "*"], of: unknown).status == 304)
    }

    /// The cache can serve ranges even if the origin sends only whole videos.
    @Test func anOriginWithoutRangesIsServedWithThem() throws {
        let whole = ContentInformation(length: 1000, acceptsRanges: false)
        let plan = try plan(["Range": "bytes=1-2"], of: whole)
        #expect(plan.status == 206 && plan.headers["Accept-Ranges"] == "bytes")
    }

    @Test(
        arguments: [
            (TransportError.timedOut(url: "u"), 504),
            (TransportError.cannotConnect(url: "u", reason: "r"), 502),
            (TransportError.truncated(url: "u"), 502), (TransportError.cancelled, 503),
            (DownloadError.status(url: "u", code: 404), 502),
            (DownloadError.encoded(url: "u", encoding: "gzip"), 502),
            (CacheError.diskFull(path: "p"), 500), (Refusal(416, "r"), 416),
        ] as [(any Error & Sendable, Int)])
    func failuresHaveAStatusAndAReason(error: any Error & Sendable, status: Int) {
        let refusal = Refusal(error)
        #expect(refusal.status == status && !refusal.reason.isEmpty)
    }
}
