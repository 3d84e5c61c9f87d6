import LoopbackHTTP
import Testing

@testable import PlaybackProxy

/// Which clients may request what, and with which methods.
@Suite struct GateTests {
    private static let gate = Gate(key: ProxyKey(), allowedHosts: nil)

    /// The status of a refusal; nil if the request is allowed.
    private func status(
        _ path: String, method: String = "GET", query: String = "url=http://a/v.mp4",
        by gate: Gate = Self.gate, _ fields: [String: String] = ["Host": "localhost"]
    ) -> Int? {
        let target = "/\(gate.key.text)\(path)?\(query)"
        return refused(RequestHead(method, target, fields: fields), by: gate)?.status
    }

    private func refused(_ request: RequestHead, by gate: Gate = Self.gate) -> Refusal? {
        do {
            _ = try gate.route(of: request)
            return nil
        } catch {
            return error
        }
    }

    /// A web page that resolves its own name to 127.0.0.1 sends that name (DNS rebinding).
    @Test(
        arguments: [
            ("127.0.0.1", nil), ("127.0.0.1:8080", nil), ("localhost", nil), ("LocalHost:80", nil),
            ("evil.example", 403), ("evil.example:8080", 403), ("127.0.0.1.evil.example", 403),
            ("localhost.evil.example:80", 403), ("127.0.0.2", 403), ("[::1]:80", 403), ("", 403),
            ("127.0.0.1:", 403), ("127.0.0.1:x", 403), ("127.0.0.1:80:80", 403),
            ("localhost; script-src *", 403), ("localhost:80; script-src *", 403),
            ("user@127.0.0.1", 403), (nil, 400),
        ] as [(String?, Int?)])
    func onlyThisMachinesOwnNamesAreServed(host: String?, refused: Int?) {
        for path in ["/status.json", "/play"] {
            #expect(status(path, host.map { ["Host": $0] } ?? [:]) == refused)
        }
    }

    /// A page cannot read an answer, but made the proxy fetch an address of the user's network.
    @Test(
        arguments: [
            ("Sec-Fetch-Site", "cross-site", 403), ("Sec-Fetch-Site", "same-site", nil),
            ("Sec-Fetch-Site", "same-origin", nil), ("Sec-Fetch-Site", "none", nil),
            ("Origin", "https://evil.example", 403), ("Origin", "http://evil.example", 403),
            ("Origin", "https://127.0.0.1", nil), ("Origin", "null", 403), ("Origin", "", 403),
            ("Origin", "http://127.0.0.1.evil.example", 403), ("Origin", "http://127.0.0.1", nil),
            ("Origin", "http://localhost:3000", nil),
        ] as [(String, String, Int?)])
    func pagesOfOtherSitesAreRefused(field: String, value: String, refused: Int?) {
        #expect(status("/play", ["Host": "localhost", field: value]) == refused)
    }

    /// For a browser `localhost` and 127.0.0.1 are two sites.
    @Test(
        arguments: [
            (["Origin": "http://localhost:3000"], nil), (["Origin": "http://evil.example"], 403),
            (["Referer": "http://localhost:3000/"], nil),
            (["Referer": "http://evil.example/"], 403),
            (["Referer": "http://evil.example/http://localhost/"], 403), ([:], 403),
            (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], nil),
            (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], 403),
            (["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "document"], 403),
        ] as [([String: String], Int?)])
    func aPageOfThisMachineMayPlay(fields: [String: String], refused: Int?) {
        let sent = ["Host": "127.0.0.1", "Sec-Fetch-Site": "cross-site"].merging(fields) { $1 }
        #expect(status("/play", sent) == refused)
    }

    @Test func withoutTheKeyNothingIsThere() {
        let key = Self.gate.key.text
        let paths = [
            "/", "/play", "/status.json", "", "/\(key)x", "/\(key.dropLast())/play",
            "/\(ProxyKey().text)/play", "/\(key.uppercased())a/play", "//\(key)/play",
            "/play/\(key)/", "http://127.0.0.1/\(key)/play",
        ]
        for path in paths {
            let request = RequestHead(
                "GET", "\(path)?url=http://a/v.mp4", fields: ["Host": "localhost"])
            let refusal = refused(request)
            #expect(refusal?.status == 403, "\(path)")
            #expect(refusal?.reason.contains(key) == false)
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "GETS"])
    func otherMethodsAreRefusedAndToldWhichAreNot(method: String) {
        let refusal = refused(
            RequestHead(
                method, "/\(Self.gate.key.text)/play?url=http://a/", fields: ["Host": "localhost"]))
        #expect(refusal?.status == 405 && refusal?.headers["Allow"] == "GET, HEAD")
    }

    @Test(arguments: [
        "/play/", "/play/../play", "//play", "/Play", "/%70lay", "/etc/passwd",
        "/../../etc/passwd", "/status", "/", "",
    ])
    func otherPathsAreNotThere(path: String) { #expect(status(path) == 404) }

    @Test(
        arguments: [
            ("http://media.example/v", nil), ("http://MEDIA.example:81/v", nil),
            ("http://other.example/v", 403), ("http://sub.media.example/v", 403),
            ("http://media.example.evil.example/v", 403), ("http://media.example./v", 403),
            ("file:///etc/passwd", 400),
        ] as [(String, Int?)])
    func hostsCanBeRestricted(url: String, refused: Int?) {
        let gate = Gate(key: Self.gate.key, allowedHosts: ["media.example"])
        let query = String(PlayAddress.pathAndQuery(of: url).dropFirst(6))
        #expect(status("/play", query: query, by: gate) == refused)
    }
}
