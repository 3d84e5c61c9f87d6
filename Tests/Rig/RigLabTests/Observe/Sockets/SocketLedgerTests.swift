import Fixture
@testable import FixtureOrigin
import Foundation
import OriginFaults
@testable import RigLab
import RigModel
import TestSupport
import Testing

/// Compares the bytes that the ledger counts with those that the test's client has read.
@Suite struct SocketLedgerTests {
    /// A running origin, its mount, and a ledger over it.
    struct Stage: Sendable {
        let origin: FixtureOrigin
        let mount: Mount
        let ledger: SocketLedger

        static let length: Int64 = 100_000

        /// Runs a test's body on its own thread.
        static func run(
            faults: [OriginFault] = [],
            source: @Sendable (any SocketSource) -> any SocketSource = { $0 },
            _ test: @escaping @Sendable (Stage) throws -> Void
        ) async throws {
            let origin = FixtureOrigin(faults: faults)
            try await origin.start()
            let mount = origin.mount(
                Resource(source: BytesVideo.pattern(Int(length))), at: "/1/v.mp4")
            let ledger = SocketLedger(
                tap: origin.tap(), mounts: FollowedMounts([mount]) { _ in 0 },
                source: source(try SocketDiagnostics(originPort: origin.port)))
            let stage = Stage(origin: origin, mount: mount, ledger: ledger)
            let result = await onOwnThread { Result { try test(stage) } }
            await origin.stop()
            try result.get()
        }

        /// A client that has requested a range, and read the head and this many bytes.
        func client(
            _ range: String? = nil, reading count: Int, from port: UInt16 = 0
        ) throws -> SocketClient {
            let client = try SocketClient(to: origin.port, from: port)
            client.take(mount.path, range: range, reading: count)
            return client
        }

        /// The bytes taken, once nothing moves any more.
        func taken(ofDead isDead: Bool = false) -> ByteRanges? {
            ledger.reading(ofDead: isDead).received
        }
    }

    @Test func whatWasReadIsTakenAndWhatLiesThereIsNot() async throws {
        try await Stage.run { stage in
            let client = try stage.client(reading: 1000)
            #expect(stage.taken() == ByteRanges([0..<1000]))
            try client.read(1)
            let taken = try #require(stage.taken())
            #expect(taken == ByteRanges([0..<1001]))
            #expect(stage.ledger.activeRequests(at: .now) == 1)
            #expect(stage.ledger.glance.received == taken)
            client.end()
            #expect(stage.taken(ofDead: true) == taken)
        }
    }

    /// Whether a worker had read everything used to be known only after an earlier look.
    ///
    /// A worker with a page was watched through its page and never looked at, so one that
    /// waited for what the origin held back was reported to hang.
    @Test func whetherAllIsReadNeedsNoLookBefore() async throws {
        try await Stage.run { stage in
            stage.mount.hold(afterDistinctBytes: 5000)
            let client = try stage.client(reading: 5000)
            #expect(stage.ledger.hasNothingUnread)
            client.end()
        }
    }

    @Test func aHeadIsNoPartOfTheVideo() async throws {
        try await Stage.run { stage in
            let client = try SocketClient(to: stage.origin.port)
            client.ask(stage.mount.path, range: "500-")
            try client.read(40)
            #expect(stage.taken() == ByteRanges())
            client.skipHead()
            #expect(stage.taken() == ByteRanges())
            try client.read(3)
            #expect(stage.taken() == ByteRanges([500..<503]))
            client.end()
        }
    }

    /// Answers of every kind follow each other on a connection that stays open.
    @Test func aConnectionGoesOnFromAnswerToAnswer() async throws {
        try await Stage.run { stage in
            let client = try stage.client("10-19", reading: 10)
            client.take("/none")
            client.take(stage.mount.path, method: "HEAD")
            client.take(stage.mount.path, range: "100000-")
            client.take(stage.mount.path, range: "200-", reading: 50)
            let expected = ByteRanges([10..<20, 200..<250])
            #expect(stage.taken() == expected)
            client.end()
            #expect(stage.taken(ofDead: true) == expected)
        }
    }

    @Test func severalConnectionsAddUpOverRanges() async throws {
        try await Stage.run { stage in
            let clients = [
                try stage.client("0-9999", reading: 100), try stage.client("50-", reading: 100),
                try stage.client("70000-", reading: 5), try stage.client("90000-", reading: 0),
            ]
            #expect(stage.taken() == ByteRanges([0..<150, 70_000..<70_005]))
            #expect(stage.ledger.activeRequests(at: .now) == 4)
            clients[0].end()
            for client in clients[1...] {
                try client.read(5)
                client.end()
            }
            let all = ByteRanges([0..<155, 70_000..<70_010, 90_000..<90_005])
            #expect(stage.taken(ofDead: true) == all)
        }
    }

    /// The kernel counts the end of the stream as a byte, which it is not.
    @Test(arguments: [
        [OriginFault(.truncate, .bytes(500))], [OriginFault(.limitData, .bytes(700))],
    ])
    func theEndIsNoByte(faults: [OriginFault]) async throws {
        try await Stage.run(faults: faults) { stage in
            let client = try SocketClient(to: stage.origin.port)
            client.take(stage.mount.path)
            let count = Int64(try client.read(5000).count)
            #expect(count > 0 && count < 700)
            #expect(stage.taken() == ByteRanges([0..<count]))
            client.end()
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<count]))
        }
    }

    /// A reset connection cannot be queried until its program closes it.
    @Test func aResetConnectionIsNotGuessedAt() async throws {
        let faults = [OriginFault(.reset, .bytes(800))]
        try await Stage.run(faults: faults) { stage in
            let client = try stage.client(reading: 300)
            try blockUntil("the connection is reset") {
                send(client.descriptor, [0], 1, Int32(MSG_NOSIGNAL)) < 0
            }
            #expect(stage.taken() == nil)
            client.end()
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<300]))
        }
    }

    @Test(arguments: [OriginFault.Kind.noLength, .encode, .multipart])
    func whatHasNoPlaceIsNotKnown(fault: OriginFault.Kind) async throws {
        try await Stage.run(faults: [OriginFault(fault)]) { stage in
            let client = try SocketClient(to: stage.origin.port)
            client.take(stage.mount.path, range: "1-50")
            #expect(stage.taken() == ByteRanges())
            try client.read(1)
            #expect(stage.taken() == nil)
            client.end()
        }
    }

    @Test func aPortThatIsUsedAgainIsAnotherConnection() async throws {
        try await Stage.run { stage in
            let first = try stage.client(reading: 1000)
            let port = first.ownPort
            // Closing with unread bytes sends a reset, and the port is free at once.
            try first.waitForMore()
            first.end()
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<1000]))
            let second = try stage.client("5000-", reading: 10, from: port)
            let expected = ByteRanges([0..<1000, 5000..<5010])
            #expect(stage.taken() == expected)
            second.end()
            #expect(stage.taken(ofDead: true) == expected)
        }
    }

    @Test func aPortThatIsUsedAgainUnnoticedIsNotKnown() async throws {
        try await Stage.run { stage in
            let first = try stage.client(reading: 1000)
            try first.waitForMore()
            first.end()
            let second = try stage.client("5000-", reading: 10, from: first.ownPort)
            second.end()
            #expect(stage.taken(ofDead: true) == nil)
        }
    }

    /// A request that is over must not count, because each may lose a threshold.
    ///
    /// It is over if its last byte was taken long ago, or if it brought nothing of the video.
    @Test func requestsThatAreOverDoNotCount() async throws {
        try await Stage.run { stage in
            let closed = try stage.client("0-999", reading: 1000)
            let reused = try stage.client("0-999", reading: 1000)
            reused.take(stage.mount.path, range: "5000-", reading: 10)
            let other = try SocketClient(to: stage.origin.port)
            other.take("/none")
            // The latest bytes may still be on their way to the disk.
            #expect(stage.taken() != nil)
            #expect(stage.ledger.activeRequests(at: .now) == 3)
            // Much later only the unfinished request is left; the other open connections are idle.
            #expect(stage.ledger.activeRequests(at: .now + .seconds(60)) == 1)
            closed.end()
            // The kernel reports an end once both sides have closed.
            try blockUntil("the end of a connection is noticed") {
                stage.ledger.activeRequests(at: .now + .seconds(60)) == 1
            }
            #expect(stage.ledger.activeRequests(at: .now) == 3)
            reused.end()
            other.end()
        }
    }

    /// A second after its end a connection carries no request any more.
    @Test(arguments: [(0.999, 1), (1.001, 0)])
    func settlingTime(seconds: Double, requests: Int) {
        let ended = ContinuousClock.now
        let answer = ServedAnswer(
            mountPath: "/v", clientPort: 1, headBytes: 10,
            body: .positions(0..<10, streamBytes: 10), startedAt: ended)
        var stream = ConnectionStream(answer)
        stream.end(SocketFigures(cookie: 1, received: 20, queued: 0), at: ended)
        let mounts = FollowedMounts(places: ["/v": { _ in 0 }])
        let moment = ended + .seconds(seconds)
        var total = TakenPositions()
        stream.place(in: mounts, at: moment, into: &total)
        #expect(total.answers.count(where: \.isUnderWay) == requests)
    }

    /// A worker that fetched a video in ranges of 64 KB, kept all of it in memory and lost it passed:
    /// each range of the last second raised its bound by a threshold, to the whole video.
    @Test func smallRequestsOneAfterTheOtherAreFewAtATime() async throws {
        try await Stage.run { stage in
            let client = try stage.client("0-999", reading: 1000)
            for number in 1..<20 {
                client.take(stage.mount.path, range: "\(number * 1000)-\(number * 1000 + 999)")
                try client.read(number < 19 ? 1000 : 10)
            }
            #expect(stage.taken()?.count == 19_010)
            // The last one, the one before it, and one whose bytes wait for their turn.
            #expect(stage.ledger.activeRequests(at: .now) == 3)
            client.end()
        }
    }

    /// A list that differs at each request has its bytes at another place each time.
    @Test func answersOfOneMountMayLieApart() async throws {
        try await Stage.run { stage in
            let path = stage.mount.path
            let ledger = SocketLedger(
                origin: stage.origin,
                mounts: FollowedMounts(places: [path: { Int64($0) * 1_000_000 }]))
            for _ in 1...2 {
                let client = try stage.client("0-99", reading: 100)
                client.end()
                #expect(ledger.reading(ofDead: true).answers != nil)
            }
            let expected = ByteRanges([1_000_000..<1_000_100, 2_000_000..<2_000_100])
            #expect(ledger.reading(ofDead: true).received == expected)
        }
    }

    @Test func otherMountsDoNotCount() async throws {
        try await Stage.run { stage in
            let other = stage.origin.mount(stage.mount.resource, at: "/2/v.mp4")
            let client = try SocketClient(to: stage.origin.port)
            client.take(other.path, range: "0-99", reading: 100)
            client.take(stage.mount.path, range: "7-", reading: 1)
            #expect(stage.taken() == ByteRanges([7..<8]))
            client.end()
        }
    }

    /// Another worker uses the same origin; its connections must not count.
    @Test func otherClientsDoNotCount() async throws {
        try await Stage.run { stage in
            let other = stage.origin.mount(stage.mount.resource, at: "/2/v.mp4")
            let stranger = try SocketClient(to: stage.origin.port)
            stranger.ask(other.path, range: "0-99")
            stranger.ask(other.path, range: "0-99")
            try blockUntil("both are asked for") { other.ledger.count >= 2 }
            let client = try stage.client(reading: 10)
            #expect(stage.taken() == ByteRanges([0..<10]))
            client.end()
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<10]))
            stranger.end()
        }
    }

    /// Readings with likely bugs, which the test above must detect.
    @Test(arguments: PlantedSource.Bug.allCases)
    func aPlantedBugIsCaught(bug: PlantedSource.Bug) async throws {
        try await Stage.run(source: { PlantedSource(source: $0, bug: bug) }) { stage in
            let client = try stage.client(reading: 1000)
            let whileOpen = stage.taken()
            client.end()
            let afterwards = stage.taken(ofDead: true)
            let right = ByteRanges([0..<1000])
            #expect((whileOpen == right && afterwards == right) == (bug == .none))
        }
    }
}

/// Socket figures with a planted bug.
struct PlantedSource: SocketSource {
    enum Bug: CaseIterable, Sendable {
        case none
        /// Bytes in the queue count as read.
        case countsTheQueue
        /// The same, only for closed sockets.
        case countsTheQueueOfTheDead
        /// Heads count as bodies.
        case forgetsTheHead
    }

    let source: any SocketSource
    let bug: Bug

    func look(clientPort: UInt16) -> SocketLook {
        guard case .open(let figures) = source.look(clientPort: clientPort) else { return .gone }
        return .open(spoil(figures, isOpen: true))
    }

    func ended() -> [EndedSocket]? {
        source.ended()?.map {
            EndedSocket(clientPort: $0.clientPort, figures: spoil($0.figures, isOpen: false))
        }
    }

    private func spoil(_ figures: SocketFigures, isOpen: Bool) -> SocketFigures {
        var figures = figures
        switch bug {
        case .none: break
        case .countsTheQueue: figures.queued = 0
        case .countsTheQueueOfTheDead: figures.queued = isOpen ? figures.queued : 0
        case .forgetsTheHead: figures.received += 200
        }
        return figures
    }
}
