import Fixture
import FixtureOrigin
@testable import RigLab
import RigModel
import TestSupport
import Testing

/// An abrupt close (SO_LINGER of 0) makes the kernel forget what the program had read.
@Suite struct AbruptEndTests {
    private typealias Stage = SocketLedgerTests.Stage

    /// The bytes that a dead worker may or may not have taken.
    private static func mayBeTaken(_ stage: Stage) -> ByteRanges? {
        let reading = stage.ledger.reading(ofDead: true)
        return reading.answers == nil ? nil : reading.mayBeTaken
    }

    @Test func whatWasReadToTheEndIsTaken() async throws {
        try await Stage.run { stage in
            let client = try stage.client("0-9999", reading: 10_000)
            #expect(stage.taken() == ByteRanges([0..<10_000]))
            client.abort()
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<10_000]))
        }
    }

    /// Bytes that came after the last look may have been read as well.
    @Test func whatMayHaveBeenReadSinceTheLastLookIsNotKnown() async throws {
        try await Stage.run { stage in
            stage.mount.hold(afterDistinctBytes: 5000)
            let client = try stage.client(reading: 4000)
            #expect(stage.taken() == ByteRanges([0..<4000]))
            try client.read(1000)
            client.abort()
            let rest = try #require(Self.mayBeTaken(stage))
            #expect(rest.union(ByteRanges([4000..<5000])) == ByteRanges([4000..<100_000]))
            _ = stage.ledger.glance
            #expect(stage.ledger.hasNothingUnread)
        }
    }

    /// A connection that no look saw while it was open is unknown.
    ///
    /// Once a look did see it: a child that another test had just forked still held the socket.
    @Test func whatNoLookSawIsNotKnown() async throws {
        try await Stage.run(source: { UnseeingSource(real: $0) }) { stage in
            let client = try stage.client("0-99", reading: 100)
            client.abort()
            #expect(Self.mayBeTaken(stage) == ByteRanges([0..<100]))
            #expect(stage.taken(ofDead: true) == nil)
        }
    }

    /// A rig that was told to end used to wait for the kernel's answer, for up to half a minute.
    @Test func anInterruptionEndsTheWait() async throws {
        let interruption = Interruption()
        interruption.raise()
        try await Stage.run { stage in
            let ledger = SocketLedger(
                tap: stage.origin.tap(), mounts: FollowedMounts([stage.mount]) { _ in 0 },
                source: SilentSource(), interruption: interruption)
            let client = try stage.client("0-99", reading: 100)
            client.end()
            let began = ContinuousClock.now
            let reading = ledger.reading(ofDead: true)
            #expect(reading.unknownReason?.contains("the kernel did not say how") == true)
            #expect(reading.answers == nil && reading.isLost)
            #expect(ContinuousClock.now - began < .seconds(5))
        }
    }

    /// The kernel keeps its counts if there was something left to read.
    @Test func whatWasLeftUnreadIsNotTaken() async throws {
        try await Stage.run { stage in
            let client = try stage.client(reading: 700)
            try blockUntil("it is asked for") { stage.mount.ledger.count > 0 }
            client.abort()
            #expect(stage.taken(ofDead: true) == ByteRanges([0..<700]))
        }
    }

    /// If the kernel cannot be asked, bytes sent by the origin show progress.
    @Test func withoutSocketsTheOriginShowsProgress() async throws {
        try await Stage.run { stage in
            let ledger = SocketLedger(
                tap: stage.origin.tap(), mounts: FollowedMounts([stage.mount]) { _ in 0 },
                source: nil, doubt: "no netlink")
            let folder = try TemporaryFolder()
            let watch = SocketWatch(
                page: try WitnessWatch(path: folder.file("page")), ledger: ledger,
                mounts: [stage.mount], keepsPage: false)
            #expect(watch.glance.received.isEmpty)
            let client = try stage.client("10-19", reading: 10)
            try blockUntil("what was sent is seen") {
                watch.glance.received == ByteRanges([10..<20])
            }
            #expect(watch.glance.progress > 0)
            #expect(watch.knowsWhatItHas)
            #expect(ledger.hasNothingUnread)
            let reading = ledger.reading(ofDead: true)
            #expect(reading.unknownReason == "no netlink" && !reading.isLost)
            client.end()
        }
    }
}

/// A kernel that reports nothing.
private struct SilentSource: SocketSource {
    func look(clientPort: UInt16) -> SocketLook { .gone }

    func ended() -> [EndedSocket]? { [] }
}

/// A kernel that reports ends, but never finds an open socket.
private struct UnseeingSource: SocketSource {
    let real: any SocketSource

    func look(clientPort: UInt16) -> SocketLook { .gone }

    func ended() -> [EndedSocket]? { real.ended() }
}
