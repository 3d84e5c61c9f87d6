import Fixture
import FixtureOrigin
import Synchronization
import Testing
import TestSupport
import VideoCache

@testable import PlaybackProxy

/// A player that sent `no-cache` got the old version, and `no-store` was stored.
@Suite("The proxy asks the origin where HTTP demands it (RFC 9111)") struct FreshnessTests {
    private func replace(in fixture: ProxyFixture, cacheControl: String?) throws -> MemoryVideo {
        let video = try MemoryVideo(copying: FixtureVideo(seed: 12, length: 1 << 20))
        _ = fixture.origin.mount(
            Resource(source: video, etag: "\"v2\"", cacheControl: cacheControl), at: "/v.mp4")
        return video
    }

    @Test(
        "a replaced video plays in its new version, where the origin or the player asks for that",
        arguments: [
            ("no-cache", []), ("max-age=0", []), ("max-age=600", ["Cache-Control: no-cache"]),
            ("max-age=600", ["Cache-Control: max-age=0"]), ("max-age=600", ["Pragma: no-cache"]),
            (nil, ["Cache-Control: no-cache"]),
        ] as [(String?, [String])])
    func replaced(control: String?, wish: [String]) async throws {
        try await ProxyFixture.run(cacheControl: control) { fixture in
            #expect(try await fixture.exchange().body == fixture.bytes(0..<2 << 20))
            let video = try replace(in: fixture, cacheControl: control)
            let reply = try await fixture.exchange("GET", nil, wish)
            #expect(reply.status == 200 && reply.headers["etag"] == "\"v2\"")
            #expect(try reply.body == video.bytes(in: 0..<1 << 20))
            let part = try await fixture.exchange("GET", nil, wish + ["Range: bytes=5-9"])
            #expect(try part.body == video.bytes(in: 5..<10))
        }
    }

    @Test("what is fresh plays without a request, and says how old it is")
    func fresh() async throws {
        let seconds = Mutex<Int64>(1_795_694_400)
        let clock = CacheClock { seconds.withLock { $0 } * 1000 }
        try await ProxyFixture.run(cacheControl: "max-age=60", clock: clock) { fixture in
            #expect(try await fixture.exchange().status == 200)
            let before = fixture.mount.ledger.count
            _ = try replace(in: fixture, cacheControl: "max-age=60")
            seconds.withLock { $0 += 59 }
            for headers in [[], ["Range: bytes=0-9"], ["Cache-Control: min-fresh=1"]] {
                let reply = try await fixture.exchange("GET", nil, headers)
                #expect(reply.headers["etag"] == "\"v1\"")
                #expect(reply.headers["age"].flatMap(Int.init) ?? 0 >= 59)
                #expect(reply.headers["warning"] == nil)
            }
            #expect(fixture.mount.ledger.count == before)
            seconds.withLock { $0 += 1 }
            #expect(try await fixture.exchange("HEAD").headers["etag"] == "\"v2\"")
        }
    }

    @Test(
        "offline a stale one plays and says so, or is refused where that is forbidden",
        arguments: [
            ("max-age=60", 200), ("max-age=60, must-revalidate", 504), ("no-cache", 504),
            ("max-age=60, proxy-revalidate", 504), (nil, 200),
        ] as [(String?, Int)])
    func offline(control: String?, status: Int) async throws {
        let seconds = Mutex<Int64>(1_795_694_400)
        let clock = CacheClock { seconds.withLock { $0 } * 1000 }
        try await ProxyFixture.run(cacheControl: control, clock: clock) { fixture in
            #expect(try await fixture.exchange().status == 200)
            await fixture.origin.stop()
            seconds.withLock { $0 += 60 }
            let reply = try await fixture.exchange()
            #expect(reply.status == status)
            if status == 200 {
                #expect(try reply.body == fixture.bytes(0..<2 << 20))
                let isTold = reply.headers["warning"]?.contains("110") ?? false
                #expect(isTold == (control != nil))
            }
            // The player had its last bytes before they were saved.
            try await eventually("all is saved") { try fixture.cachedBytes() == 2 << 20 }
            let wish = ["Cache-Control: no-cache"]
            let asked = try await fixture.exchange("GET", nil, wish)
            #expect(asked.status == status)
            if status == 200 { #expect(asked.headers["warning"]?.contains("111") ?? false) }
        }
    }

    @Test("no-store plays, and nothing of it is stored") func unstorable() async throws {
        try await ProxyFixture.run(cacheControl: "max-age=600, no-store") { fixture in
            for _ in 0..<2 {
                #expect(try await fixture.exchange().body == fixture.bytes(0..<2 << 20))
                let part = try await fixture.exchange("GET", nil, ["Range: bytes=1000-1999"])
                #expect(try part.status == 206 && part.body == fixture.bytes(1000..<2000))
                #expect(try fixture.cache.videos() == [] && fixture.cachedBytes() == 0)
            }
        }
    }

    @Test("only-if-cached never reaches the origin (5.2.1.7)") func onlyIfCached() async throws {
        try await ProxyFixture.run(cacheControl: "max-age=600") { fixture in
            let wish = ["Cache-Control: only-if-cached"]
            let refused = try await fixture.exchange("GET", nil, wish)
            #expect(refused.status == 504 && fixture.mount.ledger.isEmpty)
            #expect(try await fixture.exchange().status == 200)
            let before = fixture.mount.ledger.count
            #expect(try await fixture.exchange("GET", nil, wish).status == 200)
            #expect(fixture.mount.ledger.count == before)
        }
    }
}
