import RigModel
import Synchronization
import Testing

@testable import RigLab

/// The time of an iteration is measured without gaps, and nothing is counted twice.
@Suite struct IterationStopwatchTests {
    /// A clock that advances only when told to.
    private final class HandClock: Sendable {
        let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        func advance(_ milliseconds: Int) { passed.withLock { $0 += .milliseconds(milliseconds) } }

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
    }

    private static let plan = KillPlan(
        seed: 1, iterations: 3, policies: [Policy(threshold: ByteSize(bytes: 512 << 10))],
        trigger: .bytes, videoLength: 1000
    ).schedule[2]

    private func isNear(_ found: Double?, _ wanted: Double) -> Bool {
        found.map { abs($0 - wanted) < 1e-9 } ?? false
    }

    @Test func aKilledLifeIsSplitAtTheMomentsThatWereSeen() {
        let clock = HandClock()
        let stopwatch = IterationStopwatch(of: Self.plan) { clock.now }
        clock.advance(3)
        stopwatch.lap(.prepare)
        let seen = Milestones(
            launched: clock.start + .milliseconds(5), firstByte: 0.020, sent: true,
            killSeconds: 0.070)
        clock.advance(90)
        stopwatch.lap(
            struck: Launch(
                death: .signaled(9), seen: seen, ended: clock.start + .milliseconds(80)))
        stopwatch.lap(.clear)
        let timings = stopwatch.timings
        #expect(timings.iteration == 3)
        #expect(isNear(timings.seconds(.prepare), 0.003))
        #expect(isNear(timings.seconds(.spawn), 0.002))
        #expect(isNear(timings.seconds(.connect), 0.020))
        #expect(isNear(timings.seconds(.download), 0.050))
        #expect(isNear(timings.seconds(.kill), 0.005))
        #expect(isNear(timings.seconds(.clear), 0.013))
        #expect(timings.seconds(.copy) == nil)
        #expect(isNear(timings.total, 0.093))
    }

    /// A worker may report its recovered bytes after its first byte, or never.
    ///
    /// A late milestone leaves 0 for the stage that it overlaps, and the sum stays the same.
    @Test func momentsOutOfOrderAreCountedOnce() {
        let clock = HandClock()
        let stopwatch = IterationStopwatch(of: Self.plan) { clock.now }
        let seen = Milestones(
            launched: clock.start + .milliseconds(1), recovered: 0.030, firstByte: 0.020)
        clock.advance(100)
        stopwatch.lap(relaunched: seen)
        let timings = stopwatch.timings
        #expect(isNear(timings.seconds(.recover), 0.030))
        #expect(isNear(timings.seconds(.resume), 0))
        #expect(isNear(timings.seconds(.complete), 0.069))
        #expect(isNear(timings.total, 0.100))
    }

    /// An iteration that is done before its turn waits for the others.
    @Test func whatIsSkippedIsNoPartOfTheIteration() {
        let clock = HandClock()
        let stopwatch = IterationStopwatch(of: Self.plan) { clock.now }
        clock.advance(10)
        stopwatch.lap(.judge)
        clock.advance(500)
        stopwatch.skip()
        clock.advance(2)
        stopwatch.lap(.judge)
        let timings = stopwatch.timings
        #expect(isNear(timings.seconds(.judge), 0.012))
        #expect(isNear(timings.total, 0.012))
    }

    @Test func workBesideTheStagesIsNoPartOfThem() {
        let clock = HandClock()
        let stopwatch = IterationStopwatch(of: Self.plan) { clock.now }
        stopwatch.beside(.autopsy) { clock.advance(40) }
        stopwatch.lap(.complete)
        let timings = stopwatch.timings
        #expect(isNear(timings.total, 0.040))
        #expect(isNear(timings.seconds(beside: .autopsy), 0.040))
        #expect(timings.seconds(beside: .cleanUp) == nil)
    }
}
