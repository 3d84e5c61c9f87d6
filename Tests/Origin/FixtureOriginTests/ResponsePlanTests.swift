import Fixture
import LoopbackHTTP
import Testing

@testable import FixtureOrigin

@Suite("Answers follow RFC 9110") struct ResponsePlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: RequestFacts
        let status: Int
        let body: Range<Int64>?
        let headers: [String: String]

        init(
            _ name: String, _ request: RequestFacts, _ status: Int,
            _ body: Range<Int64>? = nil, _ headers: [String: String] = [:]
        ) {
            (testDescription, self.request, self.status) = (name, request, status)
            (self.body, self.headers) = (body, headers)
        }
    }

    static let whole: Range<Int64> = 0..<1000
    static let date = "Sat, 21 Nov 2026 08:00:00 GMT"

    static let cases: [Case] = [
        Case(
            "plain", .init(), 200, whole,
            ["Content-Length": "1000", "Accept-Ranges": "bytes", "ETag": "\"tag\""]),
        Case(
            "HEAD", .init(method: "HEAD"), 200, nil,
            ["Content-Length": "1000", "Accept-Ranges": "bytes"]),
        Case(
            "HEAD knows no ranges", .init(method: "HEAD", range: "bytes=0-1"), 200, nil,
            ["Content-Length": "1000"]),
        Case(
            "probe", .init(range: "bytes=0-1"), 206, 0..<2,
            ["Content-Range": "bytes 0-1/1000", "Content-Length": "2"]),
        Case(
            "suffix", .init(range: "bytes=-10"), 206, 990..<1000,
            ["Content-Range": "bytes 990-999/1000"]),
        Case("beyond", .init(range: "bytes=1000-"), 416, nil, ["Content-Range": "bytes */1000"]),
        Case("several", .init(range: "bytes=0-1,5-6"), 200, whole),
        Case("malformed", .init(range: "bytes=x"), 200, whole),
        Case("If-Range, same tag", .init(range: "bytes=5-", ifRange: "\"tag\""), 206, 5..<1000),
        Case("If-Range, other tag", .init(range: "bytes=5-", ifRange: "\"old\""), 200, whole),
        Case("If-Range, weak tag", .init(range: "bytes=5-", ifRange: "W/\"tag\""), 200, whole),
        Case("If-Range, same date", .init(range: "bytes=5-", ifRange: date), 206, 5..<1000),
        Case(
            "If-Range, other date",
            .init(range: "bytes=5-", ifRange: "Sat, 21 Nov 2026 08:00:01 GMT"), 200, whole),
        Case(
            "If-Range fails before a range beyond the end",
            .init(range: "bytes=1000-", ifRange: "\"old\""), 200, whole),
        Case(
            "If-None-Match", .init(ifNoneMatch: "\"tag\""), 304, nil,
            ["ETag": "\"tag\"", "Content-Length": "1000"]),
        Case(
            "If-None-Match, weak and in a list", .init(ifNoneMatch: "\"a,b\", W/\"tag\""), 304,
            nil),
        Case("If-None-Match, any", .init(ifNoneMatch: "*"), 304, nil),
        Case("If-None-Match, other", .init(ifNoneMatch: "\"a\""), 200, whole),
        Case(
            "If-None-Match beats If-Modified-Since",
            .init(ifNoneMatch: "\"a\"", ifModifiedSince: date), 200, whole),
        Case("If-Modified-Since", .init(ifModifiedSince: date), 304, nil),
        Case("If-Match", .init(ifMatch: "\"tag\""), 200, whole),
        Case("If-Match, any", .init(ifMatch: "*"), 200, whole),
        Case("If-Match, weak", .init(ifMatch: "W/\"tag\""), 412, nil),
        Case("POST", .init(method: "POST"), 405, nil, ["Allow": "GET, HEAD"]),
    ]

    @Test("Methods, preconditions and ranges", arguments: cases) func plans(this: Case) {
        let resource = Resource(
            source: MemoryVideo([UInt8](repeating: 1, count: 1000)), etag: "\"tag\"",
            lastModified: Self.date)
        let plan = ResponsePlan(answering: this.request, with: resource)
        #expect(plan.status == this.status && plan.body == this.body)
        for (name, value) in this.headers { #expect(plan.headers[name] == value) }
        #expect((plan.headers["Content-Range"] != nil) == [206, 416].contains(plan.status))
        #expect((plan.headers["Content-Type"] == "video/mp4") == [200, 206].contains(plan.status))
    }

    @Test("The entity tag is strong and follows the content") func entityTags() throws {
        let one = try Resource(source: FixtureVideo(seed: 1, length: 1 << 20))
        let same = try Resource(source: FixtureVideo(seed: 1, length: 1 << 20))
        let other = try Resource(source: FixtureVideo(seed: 2, length: 1 << 20))
        #expect(EntityTag.isStrong(one.etag))
        #expect(one.etag == same.etag && one.etag != other.etag)
    }
}
