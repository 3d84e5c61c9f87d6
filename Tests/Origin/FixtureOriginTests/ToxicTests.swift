import Fixture
@testable import FixtureOrigin
import Foundation
import OriginFaults
import TestSupport
import Testing

@Suite("The way to a client does to connections what a network does") struct ToxicTests {
    private static let length: Int64 = 2 << 20

    /// Sends a request, reads until the connection ends, and returns how and how fast it ended.
    private func readToEnd(
        _ fixture: OriginFixture, _ headers: [String] = ["Connection: close"]
    ) async throws -> (bytes: [UInt8], wasReset: Bool, seconds: Double) {
        try await SocketClient.work(at: fixture.port) { client in
            let began = ContinuousClock.now
            client.send("GET", OriginFixture.path, headers)
            let bytes = try client.read(Int(Self.length) * 2)
            return (bytes, client.wasReset, (ContinuousClock.now - began) / .seconds(1))
        }
    }

    private func body(of bytes: [UInt8]) -> [UInt8] {
        let text = Data(bytes)
        guard let end = text.range(of: Data("\r\n\r\n".utf8)) else { return [] }
        return Array(text[end.upperBound...])
    }

    @Test(
        "Every toxic that drops nothing delivers every byte",
        arguments: [
            [], [.init(.latency, .milliseconds(30))], [.init(.bandwidth, .pace(20_000_000))],
            [.init(.slowClose, .milliseconds(50))], [.init(.slicer, .bytes(1000))],
            [
                .init(.latency, .milliseconds(20)), .init(.slicer, .bytes(5000)),
                .init(.bandwidth, .pace(30_000_000)),
            ],
            [.init(.limitData, .bytes(1 << 30))],
        ] as [[OriginFault]])
    func transparent(toxics: [OriginFault]) async throws {
        // Without toxics there is no link, so use one that never resets.
        let toxics = toxics.isEmpty ? [OriginFault(.resetPeer, .bytes(1), times: 0)] : toxics
        try await OriginFixture.run(faults: toxics) { fixture in
            let reply = try await readToEnd(fixture)
            #expect(!reply.wasReset)
            #expect(try body(of: reply.bytes) == fixture.video.bytes(in: 0..<Self.length))
            try await fixture.settled()
            #expect(fixture.mount.ledger.map(\.state) == [.complete])
        }
    }

    @Test("Latency delays the first byte, and each answer on a connection, by its time")
    func latency() async throws {
        try await OriginFixture.run(.latency, .milliseconds(60)) { fixture in
            let seconds = try await SocketClient.work(at: fixture.port) { client in
                let began = ContinuousClock.now
                for _ in 0..<3 { _ = try client.exchange("HEAD", OriginFixture.path) }
                return (ContinuousClock.now - began) / .seconds(1)
            }
            #expect(seconds >= 0.18)
        }
    }

    @Test("Latency delays what follows a hold") func latencyAfterAHold() async throws {
        try await OriginFixture.run(.latency, .milliseconds(60)) { fixture in
            let mount = fixture.mount
            mount.hold(afterDistinctBytes: 1000)
            let client = try await fixture.client()
            _ = try await client.answer(1000)
            try await eventually("the body is held") { mount.heldBodies == 1 }
            let released = ContinuousClock.now
            mount.release()
            #expect(try await client.taken(1).count == 1)
            #expect((ContinuousClock.now - released) / .seconds(1) >= 0.06)
        }
    }

    @Test("A connection goes no faster than its bandwidth") func bandwidth() async throws {
        try await OriginFixture.run(.bandwidth, .pace(4_000_000)) { fixture in
            let reply = try await readToEnd(fixture)
            // A pacer may catch up a tenth of a second.
            #expect(reply.seconds > Double(Self.length) / 4_000_000 - 0.11)
        }
    }

    @Test("A slow close delays the end") func slowClose() async throws {
        try await OriginFixture.run(.slowClose, .milliseconds(300)) { fixture in
            let reply = try await readToEnd(fixture)
            #expect(reply.seconds >= 0.3 && !reply.wasReset)
        }
    }

    @Test("A reset peer delivers nothing, and resets") func resetPeer() async throws {
        try await OriginFixture.run(.resetPeer, .milliseconds(50), times: 2) { fixture in
            for _ in 0..<2 {
                let reply = try await readToEnd(fixture)
                #expect(reply.bytes.isEmpty && reply.wasReset)
                #expect(reply.seconds >= 0.05)
            }
            // The third connection is not reset.
            #expect(try await fixture.exchange().body.count == Int(Self.length))
        }
    }

    @Test("A reset after some bytes delivers exactly those", arguments: [1, 100, 1_000_003])
    func resetPeerAt(bytes: Int64) async throws {
        try await OriginFixture.run(.resetPeer, .bytes(bytes)) { fixture in
            let reply = try await readToEnd(fixture)
            #expect(reply.bytes.count == Int(bytes) && reply.wasReset)
        }
    }

    @Test("Limited data delivers exactly that much, and closes", arguments: [1, 100, 1_000_003])
    func limitData(bytes: Int64) async throws {
        try await OriginFixture.run(.limitData, .bytes(bytes)) { fixture in
            let reply = try await readToEnd(fixture)
            #expect(reply.bytes.count == Int(bytes) && !reply.wasReset)
        }
    }

    @Test("Slices are sent one by one") func slicer() async throws {
        var segments: [Int] = []
        for size in [100, 1 << 20] as [Int64] {
            try await OriginFixture.run(.slicer, .bytes(size)) { fixture in
                segments.append(
                    try await SocketClient.work(at: fixture.port) { client in
                        let reply = try client.exchange(
                            "GET", OriginFixture.path, ["Range: bytes=0-19999"])
                        #expect(reply.body.count == 20_000)
                        return client.dataSegments
                    })
            }
        }
        // The kernel may join slices that are in flight, so ten segments are enough.
        #expect(segments[0] >= 10 && segments[1] < 10)
    }

    @Test("A client that leaves ends the origin's body") func clientLeaves() async throws {
        try await OriginFixture.run(.latency, .milliseconds(1)) { fixture in
            _ = try await fixture.client(receiveBuffer: 4096).answer()
            try await fixture.settled()
            #expect(fixture.mount.connections.isEmpty)
        }
    }

    @Test("A hold is exact under toxics: everything the origin let out arrives, no more")
    func hold() async throws {
        let toxics = [OriginFault(.latency, .milliseconds(5)), OriginFault(.slicer, .bytes(777))]
        try await OriginFixture.run(faults: toxics) { fixture in
            fixture.mount.hold(afterDistinctBytes: 1_000_001)
            let mount = fixture.mount
            let client = try await fixture.client()
            #expect(try await client.answer(1_000_001).body.count == 1_000_001)
            try await eventually("the body is held") { mount.heldBodies == 1 }
            #expect(!client.isReadable)
            mount.release()
            let rest = try await client.taken(Int(Self.length) - 1_000_001)
            #expect(try rest == fixture.video.bytes(in: 1_000_001..<Self.length))
        }
    }
}

@Suite("What happens to a connection follows from its toxics") struct ToxicPlanTests {
    @Test("Times add up, paces and sizes take the smallest") func combined() {
        let plan = ToxicPlan(
            [
                .init(.latency, .milliseconds(1)), .init(.latency, .milliseconds(2)),
                .init(.bandwidth, .pace(5)), .init(.bandwidth, .pace(4)),
                .init(.slicer, .bytes(9)), .init(.slicer, .bytes(8)),
                .init(.slowClose, .milliseconds(3)), .init(.slowClose, .milliseconds(4)),
            ], connection: 1)
        #expect(plan.latency == .milliseconds(3) && plan.bytesPerSecond == 4)
        #expect(plan.sliceSize == 8 && plan.closeDelay == .milliseconds(7))
        #expect(plan.earlyEnd == nil)
    }

    @Test("The earliest end counts, for the connections that it strikes") func earlyEnd() {
        let toxics: [OriginFault] = [
            .init(.limitData, .bytes(10)), .init(.resetPeer, .bytes(5), times: 2),
            .init(.resetPeer, .milliseconds(1000), times: 1),
        ]
        let ends = (1...3).map { ToxicPlan(toxics, connection: $0).earlyEnd }
        #expect(ends[0] == .init(bytes: 0, delay: .seconds(1), isReset: true))
        #expect(ends[1] == .init(bytes: 5, delay: .zero, isReset: true))
        #expect(ends[2] == .init(bytes: 10, delay: .zero, isReset: false))
    }
}
