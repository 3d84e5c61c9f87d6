import Foundation
import Testing
import VideoCache

@testable import CurlTransport

/// Cookies of redirects, and fields that the caller adds: what is sent, and to whom.
@Suite(.serialized) struct ExtraFieldTests {
    private static let bytes = videoBytes(200_000)

    private func fields(_ lines: String...) throws -> HTTPFields {
        var fields = HTTPFields()
        for line in lines { try fields.add(line) }
        return fields
    }

    private func get(
        _ url: String, _ fields: HTTPFields = HTTPFields(), by transport: CurlTransport
    ) throws -> Collector {
        let collector = Collector()
        try transport.perform(
            HTTPRequest(url: url, target: .whole, readSize: 16 << 10, fields: fields),
            handler: collector, cancellation: Cancellation())
        return collector
    }

    private func strictOrigin(sets cookies: [String]) throws -> TestOrigin {
        try TestOrigin { request in
            let has = request.headers["cookie"] ?? ""
            guard let missing = cookies.first(where: { !has.contains($0) }) else {
                return TestOrigin.honest(request, Self.bytes)
            }
            return Reply(
                status: 302,
                headers: ["Location": request.path, "Set-Cookie": "\(missing); Path=/; HttpOnly"],
                body: Array("there".utf8))
        }
    }

    @Test(arguments: [["seen=1"], ["a=1", "b=2"]], [StorageLayout.file, .rows])
    func aRedirectMayWantItsCookie(cookies: [String], layout: StorageLayout) throws {
        for way in Way.allCases {
            let cache = try TemporaryCache(layout: layout, way: way)
            let origin = try strictOrigin(sets: cookies)
            try cache.expectFetch(of: origin.url, brings: Self.bytes)
            // Each request begins without cookies.
            let starts = origin.requests.count { $0.headers["cookie"] == nil }
            #expect(starts == 2 && origin.requests.count == 2 * (cookies.count + 1))
        }
    }

    @Test func aPlayersBytesComeAfterTheCookieAsWell() throws {
        let cache = try TemporaryCache()
        let origin = try strictOrigin(sets: ["seen=1"])
        #expect(try cache.play(origin.url) == Self.bytes)
    }

    /// The caller's own cookie goes beside those of the redirect, in one field.
    @Test func aCookieOfTheCallerIsKept() throws {
        let origin = try strictOrigin(sets: ["seen=1"])
        let answer = try get(origin.url, try fields("Cookie: mine=2"), by: quickTransport())
        #expect(answer.bytes == Self.bytes)
        let last = try #require(origin.requests.last?.headers["cookie"])
        #expect(last.contains("seen=1") && last.contains("mine=2"))
        _ = try get(origin.url, by: quickTransport())
        #expect(origin.requests[2].headers["cookie"] == nil)
    }

    @Test(arguments: [
        "Referer: http://page/", "Authorization: Bearer x", "User-Agent: other", "X-Any:  v ",
        "Cookie: a=b", "X-Empty:", "X-Bytes: \u{e9}",
    ])
    func aFieldIsSent(line: String) throws {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].lowercased()
        // Its bytes, each as one character.
        let value = String(
            String.UnicodeScalarView(
                Array(parts[1].trimmingCharacters(in: .whitespaces).utf8)
                    .map { Unicode.Scalar($0) }))
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.bytes)
        let loader = cache.loader()
        let reader = loader.reader(of: origin.url, range: nil, fields: try fields(line))
        #expect(try reader.all() == Self.bytes)
        loader.close()
        #expect(origin.requests.count == 2)
        #expect(origin.requests.allSatisfy { $0.headers[name] == value })
        // A setting of the transport counts before.
        let transport = CurlTransport(options: .init(fields: try fields("\(name): mine")))
        _ = try get(origin.url, try fields(line), by: transport)
        #expect(origin.requests.last?.headers[name] == "mine")
    }

    @Test(arguments: [
        "Range: bytes=0-", "IF-RANGE: \"a\"", "Host: x", "Accept-Encoding: gzip",
        "Content-Length: 1", "Transfer-Encoding: chunked", "If-None-Match: *", "Connection: close",
        "nonsense", ": x", "a b: secret", "A: b\r\nRange: secret", "A: secret\u{0}",
    ])
    func whatIsNoneOfTheCallersIsRefused(line: String) {
        let error = #expect(throws: HTTPFields.Refusal.self) { try fields(line) }
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func aValueIsInNoText() throws {
        let fields = try fields("Authorization: Bearer secret", "Cookie: secret=1")
        let request = HTTPRequest(url: "http://x/", target: .whole, readSize: 1, fields: fields)
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped, "\(fields)"] {
            #expect(!text.contains("secret"), "\(text)")
        }
        #expect(fields.description.contains("Authorization"))
    }

    /// Where a redirect leads, and whether fields are sent there.
    @Test(arguments: [
        ("http://127.0.0.1:PORT/there", true), ("/there", true), ("there", true),
        ("//127.0.0.1:PORT/there", true), ("HTTP://127.0.0.1:PORT/there", true),
        ("http://localhost:PORT/there", false), ("http://127.0.0.1:OTHER/there", false),
        ("//localhost:PORT/there", false),
        ("http://localhost:PORT/there?http://127.0.0.1:PORT/", false),
    ])
    func anotherHostGetsNoFields(location: String, isSame: Bool) throws {
        let other = try TestOrigin.video(Self.bytes)
        let target = location.replacingOccurrences(of: "OTHER", with: "\(other.port)")
        let origin = try TestOrigin { request in
            request.path == "/v.mp4"
                ? Reply(
                    status: 302,
                    headers: [
                        "Location": target.replacingOccurrences(
                            of: "PORT",
                            with: request.headers["host"]?.split(separator: ":").last
                                .map(String.init) ?? "")
                    ]) : TestOrigin.honest(request, Self.bytes)
        }
        let secret = try fields("Referer: secret", "Authorization: secret", "Cookie: a=secret")
        for isAllowed in [false, true] {
            let transport = CurlTransport(options: .init(sendsFieldsToOtherHosts: isAllowed))
            #expect(try get(origin.url, secret, by: transport).bytes == Self.bytes)
            let seen = try #require(
                location.contains("OTHER") ? other.requests.last : origin.requests.last)
            #expect(location.contains("OTHER") || seen.path.hasPrefix("/there"))
            for name in ["referer", "authorization", "cookie"] {
                #expect((seen.headers[name] != nil) == (isSame || isAllowed), "\(name)")
            }
            #expect(seen.headers["accept-encoding"] == "identity")
        }
    }

    /// Many origins refuse what seems to be linked from elsewhere: no `Referer` at all is refused, too.
    @Test(arguments: [StorageLayout.file, .rows], ["", "no"])
    func anOriginMayWantAReferer(layout: StorageLayout, page: String) throws {
        let cache = try TemporaryCache(layout: layout)
        let origin = try TestOrigin { request in
            request.headers["referer"] == nil
                ? Reply(status: 403, body: Array(page.utf8))
                : TestOrigin.honest(request, Self.bytes)
        }
        try cache.expectFetch(of: origin.url, brings: Self.bytes)
        let own = "http://127.0.0.1:\(origin.port)/"
        // Once it is known, it is sent at once.
        #expect(origin.requests.map { $0.headers["referer"] } == [nil, own, own])
        let loader = cache.loader()
        #expect(try loader.information(of: origin.url + "?2").length == 200_000)
        loader.close()
    }

    /// A refusal for another reason is one, and is not taken for this one later.
    @Test(arguments: [[String](), ["Referer: http://mine/"]])
    func whatIsForbiddenStaysSo(lines: [String]) throws {
        let origin = try TestOrigin { _ in Reply(status: 403, body: Array("no".utf8)) }
        let transport = quickTransport()
        var mine = HTTPFields()
        for line in lines { try mine.add(line) }
        for _ in 0..<2 { #expect(try get(origin.url, mine, by: transport).head?.status == 403) }
        let own = "http://127.0.0.1:\(origin.port)/"
        let expected = lines.isEmpty ? [nil, own, nil, own] : ["http://mine/", "http://mine/"]
        #expect(origin.requests.map { $0.headers["referer"] } == expected)
    }

    @Test(arguments: [
        ("http://a/v?b#c", "http://a/"), ("https://[::1]:8/v", "https://[::1]:8/"),
        ("http://u:p@a:1", "http://a:1/"), ("ftp://a/", nil), ("a", nil),
    ])
    func aHostsFirstPageIsNamed(address: String, root: String?) {
        #expect(HTTPHost.root(of: address) == root)
    }

    /// Once a redirect has left the host, a way back gets nothing either.
    @Test func fieldsDoNotComeBack() throws {
        let origin = try TestOrigin { request in
            let port = request.headers["host"]?.split(separator: ":").last ?? ""
            return switch request.path {
            case "/v.mp4": Reply(status: 302, headers: ["Location": "http://localhost:\(port)/2"])
            case "/2": Reply(status: 302, headers: ["Location": "http://127.0.0.1:\(port)/3"])
            default: TestOrigin.honest(request, Self.bytes)
            }
        }
        _ = try get(origin.url, try fields("Referer: secret"), by: quickTransport())
        #expect(origin.requests.map { $0.headers["referer"] } == ["secret", nil, nil])
    }

    @Test(arguments: [
        ("http://a/x", "https://a/y", true), ("http://a:80/", "https://A:443", true),
        ("https://a/", "http://a/", false), ("http://a:81/", "https://a/", false),
        ("http://a/", "http://a:81/", false), ("http://a/", "http://a.b/", false),
        ("http://[::1]:8/", "http://[::1]:8/x", true), ("http://[::1]/", "http://[::2]/", false),
        ("http://a/", "http://b@a/", true), ("http://a/", "http://a@b/", false),
        ("http://a/", "http://b?a/", false), ("a", "a", false),
    ])
    func aHostIsCompared(one: String, other: String, isSame: Bool) {
        #expect(HTTPHost.isSame(one, other) == isSame)
    }
}
