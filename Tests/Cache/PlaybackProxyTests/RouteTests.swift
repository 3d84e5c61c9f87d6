import Testing

@testable import PlaybackProxy

/// Which clients may request what, and with which methods.
@Suite struct RouteTests {
    private func status(_ request: PlayerRequest, allowedHosts: Set<String>? = nil) -> Int? {
        do {
            _ = try Route(request, allowedHosts: allowedHosts)
            return nil
        } catch {
            return error.status
        }
    }

    private func request(
        _ path: String, method: String = "GET", host: String?
    ) -> PlayerRequest {
        PlayerRequest(method: method, path: path, query: "url=http://a/v.mp4", host: host)
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
        for path in ["/", "/status.json", "/status.js", "/status.css", "/play"] {
            #expect(status(request(path, host: host)) == refused)
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "GETS"])
    func otherMethodsAreRefusedAndToldWhichAreNot(method: String) throws {
        let error = #expect(throws: Refusal.self) {
            try Route(request("/play", method: method, host: "localhost"), allowedHosts: nil)
        }
        #expect(error?.status == 405)
        #expect(error?.headers["Allow"] == "GET, HEAD")
    }

    @Test(arguments: [
        "", "/play/", "/play/../play", "//play", "/Play", "/%70lay", "/etc/passwd",
        "/../../etc/passwd", "/status", "http://127.0.0.1/play",
    ])
    func otherPathsAreNotThere(path: String) {
        #expect(status(request(path, host: "localhost")) == 404)
    }

    @Test(
        arguments: [
            ("http://media.example/v", nil), ("http://MEDIA.example:81/v", nil),
            ("http://other.example/v", 403), ("http://sub.media.example/v", 403),
            ("http://media.example.evil.example/v", 403), ("http://media.example./v", 403),
            ("file:///etc/passwd", 400),
        ] as [(String, Int?)])
    func hostsCanBeRestricted(url: String, refused: Int?) {
        var asked = request("/play", host: "localhost")
        asked.query = String(PlayAddress.pathAndQuery(of: url).dropFirst(6))
        #expect(status(asked, allowedHosts: ["media.example"]) == refused)
    }
}
