import Fixture
import LoopbackHTTP
import Testing

@testable import FixtureOrigin

@Suite("Answers follow RFC 9110")
struct ResponsePlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var request: RequestFacts
        var status: Int
        var body: Range<Int64>?
        var headers: [String: String] = [:]
        var testDescription: String { name }
    }

    static let whole: Range<Int64> = 0..<1000
    static let date = "Sat, 21 Nov 2026 08:00:00 GMT"

    static let cases: [Case] = [
        Case(
            name: "plain", request: .init(), status: 200, body: whole,
            headers: ["Content-Length": "1000", "Accept-Ranges": "bytes", "ETag": "\"tag\""]),
        Case(
            name: "HEAD", request: .init(method: "HEAD"), status: 200, body: nil,
            headers: ["Content-Length": "1000", "Accept-Ranges": "bytes"]),
        Case(
            name: "HEAD knows no ranges", request: .init(method: "HEAD", range: "bytes=0-1"),
            status: 200, body: nil, headers: ["Content-Length": "1000"]),
        Case(
            name: "probe", request: .init(range: "bytes=0-1"), status: 206, body: 0..<2,
            headers: ["Content-Range": "bytes 0-1/1000", "Content-Length": "2"]),
        Case(
            name: "suffix", request: .init(range: "bytes=-10"), status: 206, body: 990..<1000,
            headers: ["Content-Range": "bytes 990-999/1000"]),
        Case(
            name: "beyond", request: .init(range: "bytes=1000-"), status: 416, body: nil,
            headers: ["Content-Range": "bytes */1000"]),
        Case(name: "several", request: .init(range: "bytes=0-1,5-6"), status: 200, body: whole),
        Case(name: "malformed", request: .init(range: "bytes=x"), status: 200, body: whole),
        Case(
            name: "If-Range, same tag",
            request: .init(range: "bytes=5-", ifRange: "\"tag\""), status: 206, body: 5..<1000),
        Case(
            name: "If-Range, other tag",
            request: .init(range: "bytes=5-", ifRange: "\"old\""), status: 200, body: whole),
        Case(
            name: "If-Range, weak tag",
            request: .init(range: "bytes=5-", ifRange: "W/\"tag\""), status: 200, body: whole),
        Case(
            name: "If-Range, same date",
            request: .init(range: "bytes=5-", ifRange: date), status: 206, body: 5..<1000),
        Case(
            name: "If-Range, other date",
            request: .init(range: "bytes=5-", ifRange: "Sat, 21 Nov 2026 08:00:01 GMT"),
            status: 200, body: whole),
        Case(
            name: "If-Range fails before a range beyond the end",
            request: .init(range: "bytes=1000-", ifRange: "\"old\""), status: 200, body: whole),
        Case(
            name: "If-None-Match", request: .init(ifNoneMatch: "\"tag\""), status: 304, body: nil,
            headers: ["ETag": "\"tag\"", "Content-Length": "1000"]),
        Case(
            name: "If-None-Match, weak and in a list",
            request: .init(ifNoneMatch: "\"a,b\", W/\"tag\""), status: 304, body: nil),
        Case(name: "If-None-Match, any", request: .init(ifNoneMatch: "*"), status: 304, body: nil),
        Case(
            name: "If-None-Match, other", request: .init(ifNoneMatch: "\"a\""), status: 200,
            body: whole),
        Case(
            name: "If-None-Match beats If-Modified-Since",
            request: .init(ifNoneMatch: "\"a\"", ifModifiedSince: date), status: 200, body: whole),
        Case(
            name: "If-Modified-Since", request: .init(ifModifiedSince: date), status: 304,
            body: nil),
        Case(name: "If-Match", request: .init(ifMatch: "\"tag\""), status: 200, body: whole),
        Case(name: "If-Match, any", request: .init(ifMatch: "*"), status: 200, body: whole),
        Case(name: "If-Match, weak", request: .init(ifMatch: "W/\"tag\""), status: 412, body: nil),
        Case(
            name: "POST", request: .init(method: "POST"), status: 405, body: nil,
            headers: ["Allow": "GET, HEAD"]),
    ]

    @Test("Methods, preconditions and ranges", arguments: cases)
    func plans(this: Case) {
        let resource = Resource(
            source: MemoryVideo([UInt8](repeating: 1, count: 1000)), etag: "\"tag\"",
            lastModified: Self.date)
        let plan = ResponsePlan(answering: this.request, with: Representation(resource))
        #expect(plan.status == this.status && plan.body == this.body)
        for (name, value) in this.headers { #expect(plan.headers[name] == value) }
        #expect((plan.headers["Content-Range"] != nil) == [206, 416].contains(plan.status))
        #expect((plan.headers["Content-Type"] == "video/mp4") == [200, 206].contains(plan.status))
    }

    @Test("The entity tag is strong and follows the content")
    func entityTags() throws {
        let one = try Resource(source: FixtureVideo(seed: 1, length: 1 << 20))
        let same = try Resource(source: FixtureVideo(seed: 1, length: 1 << 20))
        let other = try Resource(source: FixtureVideo(seed: 2, length: 1 << 20))
        #expect(EntityTag.isStrong(one.etag))
        #expect(one.etag == same.etag && one.etag != other.etag)
    }
}
