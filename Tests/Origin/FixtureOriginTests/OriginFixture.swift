import Fixture
import OriginFaults
import Testing
import TestSupport

@testable import FixtureOrigin

/// A running origin with one fixture video mounted, for one test.
struct OriginFixture: Sendable {
    let origin: FixtureOrigin
    let mount: Mount
    let video: FixtureVideo

    static let path = "/1/video.mp4"

    var port: UInt16 { origin.port }

    static func run(
        length: Int64 = 2 << 20, bytesPerSecond: Double? = nil,
        faults: [OriginFault] = [], on other: FixtureOrigin? = nil,
        _ test: (OriginFixture) async throws -> Void
    ) async throws {
        let video = try FixtureVideo(seed: 11, length: length)
        let origin = other ?? FixtureOrigin(faults: faults)
        try await origin.start()
        let mount = origin.mount(Resource(source: video, bytesPerSecond: bytesPerSecond), at: path)
        let fixture = OriginFixture(origin: origin, mount: mount, video: video)
        try await ending({ try await test(fixture) }, with: { await origin.stop() })
    }

    static func run(
        _ kind: OriginFault.Kind, _ argument: OriginFault.Argument = .none, times: Int? = nil,
        _ test: (OriginFixture) async throws -> Void
    ) async throws {
        try await run(faults: [OriginFault(kind, argument, times: times)], test)
    }

    func exchange(
        _ method: String = "GET", _ path: String = Self.path, _ headers: [String] = []
    ) async throws -> Reply {
        let port = port
        return try await offPool { try SocketClient(port: port).exchange(method, path, headers) }
    }

    func client(
        _ headers: [String] = [], method: String = "GET", path: String = Self.path,
        receiveBuffer: Int32? = nil
    ) async throws -> SocketClient {
        try await .asking(port, method, path, headers, receiveBuffer: receiveBuffer)
    }

    func settled() async throws {
        try await eventually("a request still runs") {
            mount.ledger.allSatisfy { $0.state != .running }
        }
    }
}
