import Fixture
import Testing
import TestSupport

@testable import FixtureOrigin

extension OneAtATime {
    @Suite("A relay starts and stops")
    struct RelayLifecycleTests {
        private static let length: Int64 = 2 << 20

        private func withToxics(
            _ toxics: [Toxic], _ test: (OriginFixture) async throws -> Void
        ) async throws {
            try await OriginFixture.run(
                length: Self.length, faults: OriginFaults(toxics: toxics), test)
        }

        @Test("A stop ends connections, and a new start relays on the same port")
        func restart() async throws {
            try await withToxics([.latency(.milliseconds(1))]) { fixture in
                let (origin, port, mount) = (fixture.origin, fixture.port, fixture.mount)
                mount.hold(afterDistinctBytes: 10)
                let client = try await offPool {
                    let client = try SocketClient(port: port)
                    client.send("GET", OriginFixture.path)
                    _ = try client.readHead()
                    _ = try client.read(10)
                    return client
                }
                await origin.stop()
                #expect(try await offPool { try client.read(1) }.isEmpty)
                await #expect(throws: SocketClient.Failure.self) {
                    try await offPool { _ = try SocketClient(port: port) }
                }
                mount.release()
                try await origin.start()
                #expect(origin.port == port)
                #expect(mount.url.contains(":\(port)/"))
                #expect(try await fixture.exchange().body.count == Int(Self.length))
            }
        }

        @Test("A port that is taken is said to be, and the server behind is stopped")
        func portTaken() async throws {
            try await withToxics([.latency(.milliseconds(1))]) { fixture in
                let second = FixtureOrigin(
                    port: fixture.port, faults: OriginFaults(toxics: [.slicer(bytes: 10)]))
                await #expect(throws: OriginError.portTaken(fixture.port)) {
                    try await second.start()
                }
                #expect(second.port == 0)
            }
        }

        @Test("It relays for any server; one that is not there costs the client its connection")
        func alone() async throws {
            try await OriginFixture.run { fixture in
                let relay = TCPRelay(upstream: fixture.port)
                try relay.start()
                let port = relay.port
                #expect(port != 0 && port != fixture.port)
                let reply = try await offPool {
                    try SocketClient(port: port).exchange("GET", OriginFixture.path)
                }
                #expect(reply.body.count == Int(fixture.video.length))
                #expect(relay.acceptedConnections == 1)
                #expect(throws: OriginError.alreadyStarted(port: port)) { try relay.start() }
                await fixture.origin.stop()
                let nothing = try await offPool {
                    let client = try SocketClient(port: port)
                    client.send("GET", OriginFixture.path)
                    return try client.read(1)
                }
                #expect(nothing.isEmpty)
                relay.stop()
                relay.stop()
            }
        }
    }
}
