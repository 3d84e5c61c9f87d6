import FixtureOrigin
@testable import RigLab
import RigModel
import Synchronization
import TestSupport
import Testing

/// Answers to requests of clients that closed before the origin was scheduled.
@Suite struct LateAnswerTests {
    /// A request that waits in the origin's socket is answered after its client has closed.
    ///
    /// The answer used to be attributed to another connection, which never ended. On a busy
    /// machine, one kill in seven during a player's cancel proved nothing.
    @Test func anAnswerToAClientThatIsGoneIsNotTaken() async throws {
        let kernel = HastyKernel()
        try await SocketLedgerTests.Stage.run(source: { kernel.over($0) }) { stage in
            let client = try stage.client("0-99", reading: 100)
            #expect(stage.taken() == ByteRanges([0..<100]))
            kernel.end(clientPort: client.ownPort)
            #expect(stage.taken() == ByteRanges([0..<100]))
            client.take(stage.mount.path, range: "100-199")
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<100]))
            client.end()
        }
    }

    /// Such an answer needs two conditions.
    ///
    /// Only a connection that was read to its end can have carried another request, and only a
    /// socket that no look has found can be one that never existed.
    @Test(arguments: [110, 111, 109, 112])
    func whatIsTakenForALateAnswer(received: Int64) {
        func answer(_ positions: Range<Int64>, at moment: ContinuousClock.Instant) -> ServedAnswer {
            ServedAnswer(
                mountPath: "/v", clientPort: 1, headBytes: 10,
                body: .positions(positions, streamBytes: 100), startedAt: moment)
        }
        let begin = ContinuousClock.now
        var register = ConnectionRegister(mounts: FollowedMounts(places: ["/v": { _ in 0 }]))
        register.add(answer(0..<100, at: begin))
        let figures = SocketFigures(cookie: 7, received: received, queued: 0)
        register.end(EndedSocket(clientPort: 1, figures: figures), at: begin)
        register.add(answer(100..<200, at: begin + .milliseconds(1)))
        func end(_ stream: Int, at now: ContinuousClock.Instant) -> Bool {
            register.endUnsent(stream: stream, now: now)
        }
        let later = begin + ConnectionRegister.longestNotice
        #expect(!end(0, at: begin) && !end(1, at: begin))
        #expect(!end(1, at: later - .milliseconds(1)))
        var seen = register
        _ = seen.streams[1].note(SocketFigures(cookie: 8, received: 10, queued: 0))
        let isEnded = seen.endUnsent(stream: 1, now: later)
        #expect(!isEnded)
        #expect(end(1, at: later) == (110...111).contains(received))
        // It was another connection after all.
        let other = SocketFigures(cookie: 9, received: 50, queued: 0)
        register.end(EndedSocket(clientPort: 1, figures: other), at: later)
        #expect((register.doubt != nil) == (110...111).contains(received))
    }
}

/// A kernel that reports the end of a socket before it happens.
final class HastyKernel: Sendable {
    private struct Over: Sendable {
        var port: UInt16?
        var figures: SocketFigures?
        var isTold = false
    }

    private struct Source: SocketSource {
        let real: any SocketSource
        let kernel: HastyKernel

        func look(clientPort: UInt16) -> SocketLook {
            let look = real.look(clientPort: clientPort)
            return kernel.over.withLock { over in
                guard over.port != clientPort else { return .gone }
                if case .open(let figures) = look { over.figures = figures }
                return look
            }
        }

        func ended() -> [EndedSocket]? {
            kernel.over.withLock { over in
                guard let port = over.port, let figures = over.figures, !over.isTold else {
                    return []
                }
                over.isTold = true
                return [EndedSocket(clientPort: port, figures: figures)]
            }
        }
    }

    private let over = Mutex(Over())

    func over(_ source: any SocketSource) -> any SocketSource { Source(real: source, kernel: self) }

    func end(clientPort: UInt16) { over.withLock { $0.port = clientPort } }
}
