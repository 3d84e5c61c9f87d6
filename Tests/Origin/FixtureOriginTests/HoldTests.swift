import Fixture
import LoopbackHTTP
import Testing
import TestSupport

@testable import FixtureOrigin

@Suite("The origin holds bodies back at an exact byte, and cuts them") struct HoldTests {
    @Test(
        "Exactly the held count reaches the client; after the release the rest follows",
        arguments: [0, 1, 2, 13_194, 262_144, 262_145, 2_097_151])
    func exact(count: Int) async throws {
        try await OriginFixture.run { fixture in
            let mount = fixture.mount
            mount.hold(afterDistinctBytes: Int64(count))
            let client = try await fixture.client()
            let first = try await client.answer(count)
            #expect(first.status == 200)
            try await eventually("the body is not held") { mount.heldBodies == 1 }
            // The ledger never counts less than the client received, and all of it has been read.
            #expect(mount.ledger.map(\.servedBytes) == [Int64(count)])
            #expect(mount.distinctBytesServed == Int64(count) && mount.ledger[0].state == .running)
            #expect(!client.isReadable)
            mount.release()
            let rest = try await client.taken(Int(fixture.video.length) - count)
            let isSame = try first.body + rest == fixture.video.bytes(in: 0..<fixture.video.length)
            #expect(isSame)
            try await fixture.settled()
            #expect(mount.ledger[0].state == .complete && mount.heldBodies == 0)
        }
    }

    @Test("A probe of two bytes and a download from 0 on share those two")
    func probe() async throws {
        try await OriginFixture.run { fixture in
            let mount = fixture.mount
            mount.hold(afterDistinctBytes: 1000)
            let client = try await fixture.client(["Range: bytes=0-1"])
            #expect(try await client.answer(2).body.count == 2)
            client.send("GET", OriginFixture.path)
            #expect(try await client.answer(1000).body.count == 1000)
            try await eventually("the body is not held") { mount.heldBodies == 1 }
            #expect(mount.ledger.map(\.servedBytes) == [2, 1000])
            #expect(mount.distinctBytesServed == 1000)
            #expect(!client.isReadable)
        }
    }

    @Test("Two downloads together get the held count, and what was served is served again")
    func together() async throws {
        try await OriginFixture.run { fixture in
            let (port, mount) = (fixture.port, fixture.mount)
            mount.hold(afterDistinctBytes: 300_001)
            let clients = try await offPool {
                try ["bytes=0-", "bytes=1000000-"].map { range in
                    let client = try SocketClient(port: port)
                    client.send("GET", OriginFixture.path, ["Range: \(range)"])
                    _ = try client.readHead()
                    return client
                }
            }
            try await eventually("both are not held") { mount.heldBodies == 2 }
            let served = mount.ledger.map(\.servedBytes)
            #expect(served.reduce(0, +) == 300_001)
            let start = try #require(mount.ledger.first { $0.requested?.lowerBound == 0 })
            if start.servedBytes > 0 {
                let again = try await fixture.exchange(
                    "GET", OriginFixture.path, ["Range: bytes=0-\(start.servedBytes - 1)"])
                #expect(Int64(again.body.count) == start.servedBytes)
            }
            #expect(mount.distinctBytesServed == 300_001)
            _ = clients
        }
    }

    @Test("A cut ends a held body with its connection, after the bytes that were served")
    func cutHeld() async throws {
        try await OriginFixture.run { fixture in
            let mount = fixture.mount
            mount.hold(afterDistinctBytes: 5000)
            let client = try await fixture.client()
            _ = try await client.answer()
            try await eventually("the body is not held") { mount.heldBodies == 1 }
            mount.cut()
            #expect(mount.ledger.map(\.state) == [.cut] && mount.heldBodies == 0)
            let body = try await client.taken(10_000)
            let isSame = try body == fixture.video.bytes(in: 0..<5000)
            #expect(isSame)
            mount.release()
            #expect(try await fixture.exchange("GET").body.count == Int(fixture.video.length))
        }
    }

    /// A stopped worker reads nothing, so its body waits for the socket, not for the mount.
    @Test("A cut ends a body whose client does not read") func cutBlocked() async throws {
        try await OriginFixture.run(length: 64 << 20) { fixture in
            let mount = fixture.mount
            let client = try await fixture.client(receiveBuffer: 4096)
            try await eventually("the origin does not wait for the client") {
                mount.connections.map(\.isWaiting) == [true]
            }
            mount.cut()
            try await eventually("the body is still under way") { mount.connections.isEmpty }
            let entry = try #require(mount.ledger.first)
            #expect(entry.state == .cut)
            let received = try await client.answer(64 << 20).body
            #expect(received.count < 64 << 20)
            #expect(Int64(received.count) <= entry.servedBytes)
            let isSame = try received == fixture.video.bytes(in: 0..<Int64(received.count))
            #expect(isSame)
        }
    }

    @Test("A paced body is cut in the middle of a long pause") func cutPaced() async throws {
        try await OriginFixture.run(bytesPerSecond: 0.001) { fixture in
            let mount = fixture.mount
            let client = try await fixture.client()
            _ = try await client.answer()
            mount.cut()
            #expect(try await client.taken(1).isEmpty)
            #expect(mount.ledger.map(\.servedBytes) == [0])
        }
    }

    @Test("A client that leaves is noted as cut, with at most a buffer more than it got")
    func clientLeaves() async throws {
        try await OriginFixture.run(length: 64 << 20) { fixture in
            let mount = fixture.mount
            let received = try await fixture.client().answer(100_000).body.count
            try await eventually("the body still runs") { mount.ledger[0].state == .cut }
            #expect(mount.ledger[0].servedBytes >= Int64(received))
            #expect(mount.ledger[0].servedBytes < 64 << 20)
        }
    }
}
