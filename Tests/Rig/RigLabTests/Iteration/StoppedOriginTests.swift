import Fixture
import FixtureOrigin
import Glibc
@testable import RigLab
import RigModel
import Testing

/// An origin that is down for a while.
struct StoppedOriginTests {
    @Test func itRefusesConnectionsAndComesBackOnItsPort() async throws {
        let origin = FixtureOrigin()
        try await origin.start()
        let port = origin.port
        let proxy = try proxy(at: port)
        let video = BytesVideo.pattern(1_000)
        let space = PositionSpace([("u", video)])
        let request = PlayerRequest(video: 0, range: 0..<1_000, isOpenEnded: true, takes: 1_000)
        for _ in 0..<3 {
            let stopped = try await StoppedOrigin.stop(origin)
            let away = await onOwnThread {
                Player(proxy: proxy, space: space, shutdownFlag: Interruption()).take(request)
            }
            #expect(away.faults == ["bytes=0-: connect: Connection refused"])
            try await stopped.start()
            #expect(origin.port == port)
            let mount = origin.mount(Resource(source: video), at: "/play")
            let back = await onOwnThread {
                Player(proxy: proxy, space: space, shutdownFlag: Interruption()).take(request)
            }
            #expect(back.delivered.count == 1_000)
            origin.unmount(mount)
        }
        await origin.stop()
    }

    /// Between the origin's end and the moment its port was held, another job took the port.
    ///
    /// That job had asked for any free port, and the run ended although it released the port at
    /// once.
    @Test func aPortThatIsTakenForAMomentIsWaitedFor() throws {
        let other = try #require(LoopbackSocket.bound(to: 0))
        #expect(listen(other.descriptor, 1) == 0)
        var pauses = 0
        let placeholder = try StoppedOrigin.hold(other.port) {
            pauses += 1
            if pauses == 3 { close(other.descriptor) }
        }
        #expect(pauses == 3)
        close(placeholder)
    }

    @Test func aPortThatStaysTakenEndsTheRun() throws {
        let other = try #require(LoopbackSocket.bound(to: 0))
        defer { close(other.descriptor) }
        #expect(listen(other.descriptor, 1) == 0)
        let error = #expect(throws: RigError.self) { _ = try StoppedOrigin.hold(other.port) {} }
        #expect(error?.status == .failure)
        #expect(error?.message.contains("took the origin's port \(other.port)") == true)
    }
}
