import Foundation
import RigModel
import Testing
import Witness

@testable import RigLab

/// Kills in a recovery used to come some milliseconds after its beginning, which on a busy machine was
/// before the worker had done anything.
@Suite struct RecoveryClockTests {
    /// A worker without a page, which received its first byte when told.
    private struct Bare: WorkerWatch {
        var glance: Glance { Glance() }
        let firstByteSent: ContinuousClock.Instant?
    }

    @Test func aPageShowsWhenARecoveryBeganAndEnded() throws {
        let folder = try TemporaryFolder()
        let writer = try WitnessWriter(path: folder.file("page"))
        let watch = try WitnessWatch(path: folder.file("page"))
        let launched = ContinuousClock.now - .seconds(60)
        var clock = RecoveryClock()
        func look() { clock.note(watch, launched: launched, hasReceived: false) }
        look()
        #expect(clock.began == nil && clock.seconds == nil)
        writer.enter(.recovering)
        look()
        let began = try #require(clock.began)
        #expect(clock.seconds == nil)
        writer.enter(.connecting)
        look()
        let seconds = try #require(clock.seconds)
        #expect(seconds <= (ContinuousClock.now - began).seconds)
        #expect(seconds < 60, "it does not count from the launch")
        look()
        #expect(clock.seconds == seconds)
    }

    @Test func withoutAPageItLastsFromTheLaunchToTheFirstNewByte() throws {
        let launched = ContinuousClock.now - .seconds(9)
        let watch = Bare(firstByteSent: launched + .seconds(2))
        var clock = RecoveryClock()
        clock.note(watch, launched: launched, hasReceived: false)
        #expect(clock.began == launched && clock.seconds == nil)
        clock.note(watch, launched: launched, hasReceived: true)
        #expect(clock.seconds == 2)
    }

    /// The latest three count, so that a machine that gets five times slower is followed after two.
    @Test func theWaitFollowsTheMachine() {
        #expect(RecoveryPace([0.1, 0.1, 0.1, 0.5, 0.5]).wait(for: 0.5) == 0.25)
        #expect(RecoveryPace([0.1]).wait(for: 0.5) == 0.05)
        let unknown = RecoveryPace([])
        #expect(unknown.wait(for: 0) == 0 && unknown.wait(for: 1) == 0.1)
    }

    @Test(arguments: [(0.05, 0.5, 0.5), (0.02, 0.5, 0.22), (0.08, 0.5, 0.78), (0.049, 0.5, 0.5)])
    func whereAKillLanded(elapsed: Double, planned: Double, share: Double) throws {
        let found = try #require(RecoveryPace([0.1]).share(at: elapsed, planned: planned))
        #expect(abs(found - share) < 1e-9)
        #expect(RecoveryPace([]).share(at: elapsed, planned: planned) == nil)
    }
}
