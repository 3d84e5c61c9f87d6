import FixtureOrigin
import Foundation
import Testing
import TestSupport

@testable import PlaybackProxy

/// Players that only wait, paused with a full buffer, must not keep others from playing.
///
/// Each connection used to be watched on its own thread of a dispatch queue. Dispatch has 255
/// threads for all queues together: with that many paused players no request was ever served again,
/// and a new player did not even get an error.
@Suite(.serialized) struct ManyPlayersTests {
    /// More than Dispatch has threads.
    ///
    /// Each has up to four descriptors here. Foundation's `Process`, which other tests of this
    /// process use meanwhile, reads the list of descriptors beyond its end where there are some
    /// 1,340 of them, and crashes if nothing is mapped there.
    private static let players = 270

    /// Raises this process's limit of file descriptors: many systems begin with 1,024.
    init() throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        limit.rlim_cur = limit.rlim_max
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }

    @Test func manyPausedPlayersKeepNoOtherFromPlaying() async throws {
        try await ProxyFixture.run(length: 4 << 20) { fixture in
            _ = try await fixture.exchange()
            let paused = try await fixture.players(
                Self.players, ["Range: bytes=0-"], receiveBuffer: 4096)
            let statuses = try await offPool { try paused.map { try $0.readHead().status } }
            #expect(statuses == Array(repeating: 206, count: Self.players))
            let reply = try await fixture.exchange("GET", nil, ["Range: bytes=0-999"])
            #expect(reply.body == (try fixture.bytes(0..<1000)))
            // A player that resumes gets every byte, including those that waited in the server.
            let rest = try await paused[0].taken(1 << 20)
            #expect(rest == (try fixture.bytes(0..<1 << 20)))
            for player in paused { player.hangUp() }
        }
    }

    /// A player of what is not cached takes four descriptors, where three were allowed for: 64 of
    /// them ended the proxy by SIGILL at `ulimit -n 256`.
    @Test func noPlayerTakesMoreDescriptorsThanAreAllowedFor() async throws {
        // In a process of its own: other tests open and close files meanwhile.
        await #expect(processExitsWith: .success) {
            try await ProxyFixture.run(length: 1 << 20) { fixture in
                let mounts = (0..<9).map { number in
                    let mount = fixture.origin.mount(
                        Resource(source: fixture.video, etag: "\"v1\""), at: "/\(number).mp4")
                    mount.hold(afterDistinctBytes: 100_000)
                    return mount
                }
                let (port, paths) = (fixture.proxy.port, mounts.map { fixture.path(of: $0.url) })
                var players: [SocketClient] = []
                var counts: [Int] = []
                // The first opens what all of them share.
                for part in [0..<1, 1..<9] {
                    let more = try await offPool {
                        try paths[part].map { path in
                            let player = try SocketClient(port: port)
                            player.send("GET", path)
                            return player
                        }
                    }
                    players += more
                    try await eventually("the origin holds what all of them wait for") {
                        mounts[part].allSatisfy { $0.heldBodies > 0 }
                    }
                    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                    counts.append(open.count)
                }
                // Two more are the ends of the player and of the origin.
                #expect(counts[1] - counts[0] <= 8 * (PlaybackProxy.descriptorsEach + 2))
                for player in players { player.hangUp() }
            }
        }
    }

    /// The same for readers, which wait on threads of their own.
    ///
    /// While all these players waited for a silent origin, no player got what was cached.
    @Test func manyPlayersOfASilentOriginKeepNoOtherFromTheCache() async throws {
        try await ProxyFixture.run(length: 1 << 20) { fixture in
            fixture.mount.hold(afterDistinctBytes: 700_000)
            let first = try await fixture.exchange("GET", nil, ["Range: bytes=0-599999"])
            #expect(first.status == 206)
            let waiting = try await fixture.players(Self.players, ["Range: bytes=800000-"])
            let threads = "/proc/self/task"
            try await eventually("all players wait, each on a thread") {
                try FileManager.default.contentsOfDirectory(atPath: threads).count >= Self.players
            }
            let reply = try await fixture.exchange("GET", nil, ["Range: bytes=0-999"])
            #expect(reply.body == (try fixture.bytes(0..<1000)))
            for player in waiting { player.hangUp() }
        }
    }
}
