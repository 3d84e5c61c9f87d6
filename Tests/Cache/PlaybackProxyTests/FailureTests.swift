import Fixture
import FixtureOrigin
import Foundation
import LoopbackHTTP
import Testing
import TestSupport
import VideoCache

@testable import PlaybackProxy

/// If the origin fails or a player leaves, the other side is told at once, and nothing is lost.
@Suite struct FailureTests {
    @Test func anOriginThatIsNotThereOrAnswersWronglyIs502() async throws {
        try await ProxyFixture.run { fixture in
            let wrong = try await fixture.exchange(
                "GET", PlayAddress.pathAndQuery(of: fixture.mount.url + "x"))
            #expect(wrong.status == 502 && wrong.text.contains("404"))
            await fixture.origin.stop()
            for method in ["GET", "HEAD"] {
                let reply = try await fixture.exchange(method)
                #expect(reply.status == 502)
                #expect(reply.headers["content-type"] == "text/plain; charset=utf-8")
            }
            #expect(try await fixture.exchange().text.contains("cannot connect"))
        }
    }

    @Test func anOriginThatStaysSilentIs504() async throws {
        try await ProxyFixture.run(progressTimeout: .seconds(1)) { fixture in
            fixture.mount.hold(afterDistinctBytes: 2)
            let reply = try await fixture.exchange("GET", nil, ["Range: bytes=100-"])
            #expect(reply.status == 504 && reply.text.contains("in time"))
        }
    }

    /// The head promised more than came, so the connection must not end cleanly.
    @Test func aBodyThatFailsIsCutAndWhatCameIsKept() async throws {
        try await ProxyFixture.run { fixture in
            fixture.mount.hold(afterDistinctBytes: 700_000)
            // Unread bytes in a socket are lost when its other end is cut off, so the player reads
            // them first.
            let player = try await fixture.player()
            let reply = try await player.answer(700_000)
            try await eventually("the origin holds") { fixture.mount.heldBodies > 0 }
            await fixture.origin.stop()
            #expect(reply.headers["content-length"] == "\(2 << 20)")
            #expect(reply.body == (try fixture.bytes(0..<700_000)))
            #expect(try await player.taken(1).isEmpty)
            try await eventually("what came is saved") { try fixture.cachedBytes() == 700_000 }
        }
    }

    @Test func offlineWhatIsCachedPlaysAndTheRestIsAClearError() async throws {
        try await ProxyFixture.run { fixture in
            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-999999"])
            try await fixture.settled()
            await fixture.origin.stop()
            let cached = try fixture.cachedBytes()
            #expect(cached >= 1_000_000)
            let hit = try await fixture.exchange("GET", nil, ["Range: bytes=0-999999"])
            #expect(hit.status == 206)
            #expect(hit.body == (try fixture.bytes(0..<1_000_000)))
            let miss = try await fixture.exchange("GET", nil, ["Range: bytes=\(cached)-"])
            #expect(miss.status == 502 && miss.text.contains("cannot connect"))
            // Only the start is cached: the player gets that, then the connection is cut.
            let part = try await fixture.player().answer(2 << 20).body
            #expect(part == (try fixture.bytes(0..<cached)))
        }
    }

    /// A player that closes its connection cancels the download, even while no bytes flow (F3, S3).
    ///
    /// The server only writes, and has nothing to write. Without a check of the socket, the
    /// download would wait for the silent origin until its timeout, with its bytes unsaved.
    @Test func aPlayerThatGoesWhileTheOriginIsSilentSavesWhatCame() async throws {
        try await ProxyFixture.run { fixture in
            fixture.mount.hold(afterDistinctBytes: 300_000)
            let player = try await fixture.player()
            let body = try await player.answer(300_000).body
            #expect(body == (try fixture.bytes(0..<300_000)))
            try await eventually("the origin holds") { fixture.mount.heldBodies > 0 }
            #expect(fixture.mount.ledger.contains { $0.state == .running })
            player.hangUp()
            try await eventually("the request is cancelled") { fixture.requests.cancelled == 1 }
            #expect(try fixture.cachedBytes() == 300_000)
            // The origin's ledger ends a body only when it sees its connection end.
            fixture.mount.release()
            try await fixture.settled()
            #expect(fixture.mount.ledger.last?.state == .cut)
            #expect(try fixture.cachedBytes() < fixture.video.length)
        }
    }

    /// The same before the first byte has come (T6).
    @Test func aPlayerThatGoesBeforeTheFirstByteLeavesNothingRunning() async throws {
        try await ProxyFixture.run { fixture in
            fixture.mount.hold(afterDistinctBytes: 2)
            let player = try await fixture.player(["Range: bytes=1000-"])
            try await eventually("the origin holds") { fixture.mount.heldBodies > 0 }
            player.hangUp()
            try await eventually("the request is cancelled") { fixture.requests.cancelled == 1 }
            fixture.mount.release()
            try await fixture.settled()
            #expect(try fixture.cachedBytes() < 1 << 20)
        }
    }

    /// Players that wait for a silent origin do not block other players.
    ///
    /// Their readers block. If they blocked the tasks' own threads, of which a machine may have
    /// only two, a few of them would stop all players.
    @Test func playersThatWaitDoNotHoldUpOthers() async throws {
        try await ProxyFixture.run { fixture in
            _ = try await fixture.exchange("GET", nil, ["Range: bytes=0-9"])
            try await fixture.settled()
            fixture.mount.hold(afterDistinctBytes: 0)
            let waiting = try await fixture.players(20, ["Range: bytes=2000000-"])
            try await eventually("the origin holds") { fixture.mount.heldBodies > 0 }
            #expect(try await fixture.exchange("GET", nil, ["Range: bytes=0-9"]).status == 206)
            #expect(try await fixture.exchange("GET", "/status.json").status == 200)
            fixture.mount.release()
            let expected = try fixture.bytes(2_000_000..<fixture.video.length)
            for player in waiting {
                let reply = try await player.answer(expected.count)
                #expect(reply.headers["content-length"] == "\(expected.count)")
                #expect(reply.body == expected)
            }
        }
    }

    @Test func aStopEndsPlayersThatWait() async throws {
        try await ProxyFixture.run { fixture in
            fixture.mount.hold(afterDistinctBytes: 100_000)
            let port = fixture.proxy.port
            let player = try await fixture.player()
            _ = try await player.answer(100_000)
            await fixture.proxy.stop()
            #expect(try await player.taken(1).isEmpty)
            try await eventually("the request is cancelled") { fixture.requests.cancelled == 1 }
            #expect(try fixture.cachedBytes() == 100_000)
            await #expect(throws: SocketClient.Failure.self) {
                try await offPool { try SocketClient(port: port) }
            }
            fixture.mount.release()
            // A later start listens on the same port, and continues with the cached bytes.
            try await fixture.proxy.start()
            #expect(fixture.proxy.port == port)
            #expect(try await fixture.exchange().body.count == 2 << 20)
        }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await ProxyFixture.run { fixture in
            let second = PlaybackProxy(
                cache: fixture.cache, loader: fixture.loader,
                options: .init(port: fixture.proxy.port))
            let error = await #expect(throws: ProxyError.self) { try await second.start() }
            #expect(error == .portTaken(fixture.proxy.port))
            let again = await #expect(throws: ProxyError.self) { try await fixture.proxy.start() }
            #expect(again == .alreadyStarted(port: fixture.proxy.port))
        }
    }

    /// Another port was advised.
    @Test func tooFewDescriptorsAreNoFaultOfThePort() {
        let refusal = ListenError.refused(code: EMFILE, reason: "Too many open files")
        let text = ProxyError(refusal, port: 0).description
        #expect(text.contains("ulimit -n") && !text.contains("--port"), "\(text)")
    }
}
