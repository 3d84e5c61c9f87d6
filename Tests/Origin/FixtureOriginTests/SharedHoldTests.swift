import Fixture
import Testing
import TestSupport

@testable import FixtureOrigin

@Suite("Several mounts together, and mounts that change with every request")
struct SharedHoldTests {
    @Test("A hold over two mounts lets exactly its count out of both together")
    func shared() async throws {
        try await OriginFixture.run { fixture in
            let other = fixture.origin.mount(
                Resource(source: try FixtureVideo(seed: 12, length: 1 << 20)), at: "/2/video.mp4")
            let hold = SharedHold(afterDistinctBytes: 300_000)
            fixture.mount.hold(hold)
            other.hold(hold)
            let first = try await fixture.client(["Range: bytes=0-199999"])
            #expect(try await first.answer(200_000).body.count == 200_000)
            #expect(!hold.isReached)
            let second = try await fixture.client(path: "/2/video.mp4")
            #expect(try await second.answer(100_000).body.count == 100_000)
            try await eventually("the body is not held") { other.heldBodies == 1 }
            #expect(hold.isReached)
            #expect(!first.isReadable && !second.isReadable)
            #expect(fixture.mount.distinctBytesServed + other.distinctBytesServed == 300_000)
            // Bytes that were sent before are sent again; those of a new position are held.
            let again = try await fixture.exchange("GET", OriginFixture.path, ["Range: bytes=5-9"])
            #expect(again.status == 206 && again.body.count == 5)
        }
    }

    @Test("Every request gets the next resource of a sequence") func sequence() async throws {
        try await OriginFixture.run { fixture in
            let lists = (1...3).map { MemoryVideo(Array("list \($0)".utf8)) }
            let mount = fixture.origin.mount(at: "/feed") { request in
                Resource(source: lists[min(request, 3) - 1], contentType: "application/json")
            }
            var bodies: [String] = []
            var tags: [String?] = []
            for _ in 1...4 {
                let reply = try await fixture.exchange("GET", "/feed")
                bodies.append(String(decoding: reply.body, as: UTF8.self))
                tags.append(reply.headers["etag"])
            }
            #expect(bodies == ["list 1", "list 2", "list 3", "list 3"])
            #expect(Set(tags).count == 3)
            #expect(mount.ledger.map(\.servedBytes) == [6, 6, 6, 6])
            // All positions of a new list are new, so a hold counts them.
            #expect(mount.distinctBytesServed == 24)
        }
    }
}
