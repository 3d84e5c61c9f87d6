import FixtureOrigin
@testable import RigLab
import RigModel
import TestSupport
import Testing
import Witness

/// A worker's page alone used to decide when its bytes had come and its clock began.
///
/// A worker that noted its bytes only after saving them had all kills planned from 852,147 to
/// 5,261,237 bytes land at 6,291,456: the worker itself decided where it was killed.
@Suite struct SocketWatchTests {
    private typealias Stage = SocketLedgerTests.Stage

    private static func run(
        isBlind: Bool = false,
        _ test: @escaping @Sendable (Stage, SocketWatch, WitnessWriter) throws -> Void
    ) async throws {
        try await Stage.run { stage in
            let folder = try TemporaryFolder()
            let page = folder.file("page")
            let ledger =
                isBlind
                ? SocketLedger(
                    tap: stage.origin.tap(), mounts: FollowedMounts(places: [:]), source: nil)
                : stage.ledger
            let watch = SocketWatch(
                page: try WitnessWatch(path: page), ledger: ledger, mounts: [stage.mount],
                keepsPage: true)
            try test(stage, watch, try WitnessWriter(path: page))
        }
    }

    /// Looks until what was read shows: a single look gives only a lower bound.
    private static func wait(for received: ByteRanges, in watch: SocketWatch) throws {
        try blockUntil("the kernel's look shows \(received)") { watch.glance.received == received }
    }

    @Test func bytesThatAPageNotesLateAreSeenWhenTheyCome() async throws {
        try await Self.run { stage, watch, page in
            let request = try #require(page.begin(url: stage.mount.url, start: 0))
            let client = try stage.client(reading: 4000)
            try Self.wait(for: ByteRanges([0..<4000]), in: watch)
            let before = watch.glance.progress
            try client.read(1000)
            try Self.wait(for: ByteRanges([0..<5000]), in: watch)
            #expect(watch.glance.progress > before)
            request.receive(5000)
            #expect(watch.glance.received == ByteRanges([0..<5000]))
            client.end()
        }
    }

    /// The clock of a kill used to start when a look saw the first byte, a millisecond late.
    ///
    /// Kills landed in `connecting` 0.8 % of the time, although lives spent 4.9 % there.
    @Test func theClockBeginsWhenTheFirstByteIsSent() async throws {
        try await Self.run { stage, earlier, _ in
            let before = ContinuousClock.now
            #expect(earlier.firstByteSent == nil)
            let first = try stage.client(reading: 10)
            try Self.wait(for: ByteRanges([0..<10]), in: earlier)
            let seen = ContinuousClock.now
            let sent = try #require(earlier.firstByteSent)
            #expect(before...seen ~= sent)
            first.end()
            let second = try stage.client(reading: 10)
            #expect(earlier.firstByteSent == sent)
            second.end()
        }
    }

    /// A killed worker's request may be answered after the next launch.
    ///
    /// That answer must not start the clock of the next life.
    @Test func anAnswerThatNothingReadsStartsNoClock() async throws {
        try await Self.run { stage, watch, _ in
            let late = try SocketClient(to: stage.origin.port)
            late.ask(stage.mount.path, range: "0-999")
            try late.waitForMore()
            try blockUntil("it is sent") { stage.mount.distinctBytesServed > 0 }
            let launched = ContinuousClock.now
            let first = try stage.client(reading: 10)
            try Self.wait(for: ByteRanges([0..<10]), in: watch)
            #expect(try #require(watch.firstByteSent) >= launched)
            first.end()
            late.end()
        }
    }

    /// A page that reports bytes too early must not bring the kill forward.
    @Test func bytesThatAPageNotesEarlyAreNotSeenYet() async throws {
        try await Self.run { stage, watch, page in
            let client = try stage.client(reading: 10)
            try Self.wait(for: ByteRanges([0..<10]), in: watch)
            let request = try #require(page.begin(url: stage.mount.url, start: 0))
            request.receive(90_000)
            #expect(watch.glance.received == ByteRanges([0..<10]))
            client.end()
        }
    }

    @Test func whatOnlyThePageCanTellIsTakenFromIt() async throws {
        try await Self.run { stage, watch, page in
            let request = try #require(page.begin(url: stage.mount.url, start: 0))
            let client = try stage.client(reading: 100)
            try Self.wait(for: ByteRanges([0..<100]), in: watch)
            #expect(!watch.knowsWhatItHas)
            page.enter(.receiving)
            #expect(watch.knowsWhatItHas)
            request.receive(100)
            let before = watch.glance.progress
            request.acknowledge(upTo: 100)
            #expect(watch.glance.acknowledged == ByteRanges([0..<100]))
            #expect(watch.glance.progress > before, "a commit is progress")
            client.end()
        }
    }

    /// After an abrupt close the kernel does not report what was read since the last look.
    ///
    /// The page may report it.
    @Test func whatAnAbruptCloseHidesThePageMayTell() async throws {
        try await Self.run { stage, watch, page in
            stage.mount.hold(afterDistinctBytes: 5000)
            let client = try stage.client(reading: 4000)
            try Self.wait(for: ByteRanges([0..<4000]), in: watch)
            try client.read(1000)
            client.abort()
            let request = try #require(page.begin(url: stage.mount.url, start: 0))
            request.receive(5000)
            try Self.wait(for: ByteRanges([0..<5000]), in: watch)
        }
    }

    @Test func whereNoSocketCanBeSeenThePageHasToDo() async throws {
        try await Self.run(isBlind: true) { stage, watch, page in
            let client = try stage.client(reading: 4000)
            let request = try #require(page.begin(url: stage.mount.url, start: 0))
            #expect(watch.glance.received.isEmpty)
            request.receive(30)
            #expect(watch.glance.received == ByteRanges([0..<30]))
            client.end()
        }
    }
}
