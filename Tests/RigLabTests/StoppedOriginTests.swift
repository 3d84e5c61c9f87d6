import Fixture
import FixtureOrigin
import RigModel
import Testing

@testable import RigLab

/// An origin that is away for a while.
struct StoppedOriginTests {
    @Test func itRefusesConnectionsAndComesBackOnItsPort() async throws {
        let origin = FixtureOrigin()
        try await origin.start()
        let port = origin.port
        let video = BytesVideo.pattern(1_000)
        let space = PositionSpace([("u", video)])
        let request = PlayerRequest(
            video: 0, range: 0..<1_000, isOpenEnded: true, takes: 1_000)
        for _ in 0..<3 {
            let stopped = try await StoppedOrigin.stop(origin)
            let away = await onOwnThread {
                Player(port: port, space: space, curtain: Curtain()).take(request)
            }
            #expect(away.faults == ["bytes=0-: connect: Connection refused"])
            try await stopped.start()
            #expect(origin.port == port)
            let mount = origin.mount(Resource(source: video), at: "/play")
            let back = await onOwnThread {
                Player(port: port, space: space, curtain: Curtain()).take(request)
            }
            #expect(back.delivered.count == 1_000)
            origin.unmount(mount)
        }
        await origin.stop()
    }
}
