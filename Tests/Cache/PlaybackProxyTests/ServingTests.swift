import Fixture
import FixtureOrigin
import Foundation
import Testing
import TestSupport
import VideoCache

@testable import PlaybackProxy

/// A player and an origin over real sockets: the player gets what it requests.
@Suite struct ServingTests {
    @Test func theWholeComesFromTheOriginOnceAndFromTheCacheThen() async throws {
        try await ProxyFixture.run { fixture in
            let whole = try fixture.bytes(0..<fixture.video.length)
            let first = try await fixture.exchange()
            #expect(first.status == 200 && first.body == whole)
            try await fixture.settled()
            let requests = fixture.mount.ledger.count
            let second = try await fixture.exchange()
            #expect(second.body == whole && second.headers == first.headers)
            #expect(fixture.mount.ledger.count == requests)
            #expect(try fixture.cachedBytes() == fixture.video.length)
        }
    }

    /// The cached part is sent at once, and the rest by a thread that waits for the origin.
    @Test func aRangeThatIsPartlyCachedIsWhole() async throws {
        try await ProxyFixture.run { fixture in
            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-599999"])
            try await fixture.settled()
            let cached = try fixture.cachedBytes()
            #expect(cached < fixture.video.length)
            let reply = try await fixture.exchange("GET", nil, ["Range: bytes=1000-"])
            #expect(reply.body == (try fixture.bytes(1000..<fixture.video.length)))
            try await fixture.settled()
            // What was cached is not fetched again.
            #expect(fixture.mount.ledger.last?.requested?.lowerBound == cached)
        }
    }

    @Test func aRangeIs206() async throws {
        let cases: [(String, Int64, Int64)] = [
            ("bytes=0-1", 0, 2), ("bytes=-500", (2 << 20) - 500, 500),
            ("bytes=1048576-1048600", 1_048_576, 25), ("bytes=2097151-9999999", 2_097_151, 1),
            ("bytes=10-19,0-1", 10, 10), ("bytes=0-", 0, 2 << 20),
        ]
        try await ProxyFixture.run { fixture in
            for (range, offset, length) in cases {
                let reply = try await fixture.exchange("GET", nil, ["Range: \(range)"])
                #expect(reply.status == 206, "\(range)")
                #expect(
                    reply.headers["content-range"]
                        == "bytes \(offset)-\(offset + length - 1)/\(fixture.video.length)")
                let isRight = try reply.body == fixture.bytes(offset..<offset + length)
                #expect(isRight, "\(range)")
            }
        }
    }

    @Test func headAndGetAgree() async throws {
        let requests = [
            ["Range: bytes=-500"], ["Range: bytes=9999999-"], ["If-None-Match: \"v1\""],
            ["If-None-Match: W/\"v1\""], ["If-Modified-Since: \(ProxyFixture.lastModified)"],
            ["Range: bytes=1-2", "If-Range: \"v1\""], ["If-Match: \"v2\""],
            ["Range: bytes=1-2", "If-Range: \(ProxyFixture.lastModified)"],
            ["Range: bytes=1-2", "If-Range: \"v2\""], ["If-None-Match: \"v2\""],
            ["Range: bytes=0-"], [],
        ]
        try await ProxyFixture.run { fixture in
            for headers in requests {
                let head = try await fixture.exchange("HEAD", nil, headers)
                let get = try await fixture.exchange("GET", nil, headers)
                #expect(head.status == get.status, "\(headers)")
                // A second may end between the two.
                let changing: Set = ["date", "age"]
                #expect(
                    head.headers.filter { !changing.contains($0.key) }
                        == get.headers.filter { !changing.contains($0.key) })
                #expect(Set(head.headers.keys) == Set(get.headers.keys))
                #expect(head.body.isEmpty)
                if get.status != 304 {
                    #expect(get.body.count == Int(get.headers["content-length"] ?? ""))
                }
                if [200, 206, 304].contains(get.status) {
                    #expect(get.headers["etag"] == "\"v1\"")
                    #expect(get.headers["last-modified"] == ProxyFixture.lastModified)
                    #expect(get.headers["content-type"] == "video/mp4")
                    #expect(get.headers["accept-ranges"] == "bytes")
                }
            }
        }
    }

    @Test func oneConnectionCarriesManyRequests() async throws {
        try await ProxyFixture.run { fixture in
            let path = fixture.path
            let bodies = try await SocketClient.work(at: fixture.proxy.port) { player in
                // The second request is sent before the first is answered.
                player.send("GET", path, ["Range: bytes=0-9"])
                player.send("HEAD", path)
                player.send("GET", path, ["Range: bytes=10-19"])
                return try [10, 0, 10].map { count in
                    _ = try player.readHead()
                    return try player.read(count)
                }
            }
            #expect(bodies == [try fixture.bytes(0..<10), [], try fixture.bytes(10..<20)])
        }
    }

    /// Content from another origin must not get the proxy's own rights in a browser.
    @Test func anAnswerGivesWebPagesNoRights() async throws {
        try await ProxyFixture.run { fixture in
            let reply = try await fixture.exchange("GET", nil, ["Origin: http://localhost:1"])
            #expect(reply.status == 200)
            #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control") })
            #expect(
                reply.headers["content-security-policy"]
                    == "sandbox; default-src 'none'; media-src 'self'")
            #expect(reply.headers["referrer-policy"] == "no-referrer")
            #expect(reply.headers["x-content-type-options"] == "nosniff")
            #expect(reply.headers["cache-control"] == "no-store")
        }
    }

    @Test func whatIsNotForPlayersIsRefused() async throws {
        let cases: [(method: String, path: String, headers: [String], status: Int)] = [
            ("POST", "/play?url=http%3A%2F%2Fa%2F", [], 405),
            ("GET", "/play?url=file%3A%2F%2F%2Fetc%2Fpasswd", [], 400), ("GET", "/play", [], 400),
            ("GET", "/../../etc/passwd", [], 404), ("GET", "/", ["Host: evil.example"], 403),
            ("GET", "/play?url=http%3A%2F%2Fa%2F", ["Sec-Fetch-Site: cross-site"], 403),
        ]
        try await ProxyFixture.run { fixture in
            for one in cases {
                let reply = try await fixture.exchange(one.method, one.path, one.headers)
                #expect(reply.status == one.status && reply.headers["location"] == nil)
                #expect(!reply.text.contains("root:"))
                #expect(reply.text.contains(";"), "says what to do: \(reply.text)")
                #expect(fixture.mount.ledger.isEmpty)
            }
        }
    }

    @Test func hostsCanBeRestricted() async throws {
        try await ProxyFixture.run(options: .init(allowedHosts: ["Localhost"])) { fixture in
            #expect(try await fixture.exchange().status == 403)
            #expect(fixture.mount.ledger.isEmpty)
            let named = fixture.mount.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
            let reply = try await fixture.exchange(
                "GET", PlayAddress.pathAndQuery(of: named), ["Range: bytes=0-9"])
            #expect(reply.status == 206)
        }
    }

    @Test func theStatusTellsWhatIsCached() async throws {
        try await ProxyFixture.run { fixture in
            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-1048575"])
            try await fixture.settled()
            let json = try await fixture.exchange("GET", "/status.json")
            let status = try #require(
                try JSONSerialization.jsonObject(with: Data(json.body)) as? [String: Any])
            let video = try #require((status["videos"] as? [[String: Any]])?.first)
            #expect(video["url"] as? String == fixture.mount.url)
            #expect(video["cached_bytes"] as? Int64 == (try fixture.cachedBytes()))
        }
    }

    /// Half of the old version is cached when the origin gets a new one.
    ///
    /// The player gets the new head with the new bytes, or the old head with the old bytes, never a
    /// mixture. It once waited forever: the range was answered with the whole new version, so the
    /// download restarted at 0, far from any reader, ended, and was started again.
    @Test func aChangedVideoIsNeverStitched() async throws {
        try await ProxyFixture.run { fixture in
            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-999999"])
            try await fixture.settled()
            let new = try MemoryVideo(copying: FixtureVideo(seed: 12, length: 3 << 20))
            _ = fixture.origin.mount(Resource(source: new, etag: "\"v2\""), at: "/v.mp4")
            let reply = try await fixture.exchange("GET", nil, ["Range: bytes=1500000-1500009"])
            #expect(reply.status == 206 && reply.headers["etag"] == "\"v2\"")
            #expect(reply.headers["content-range"] == "bytes 1500000-1500009/\(3 << 20)")
            #expect(reply.body == (try new.bytes(in: 1_500_000..<1_500_010)))
            let whole = try await fixture.exchange()
            #expect(whole.headers["etag"] == "\"v2\"")
            #expect(whole.body == (try new.bytes(in: 0..<new.length)))
        }
    }
}
