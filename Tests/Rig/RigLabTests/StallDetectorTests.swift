import Foundation
import Synchronization
import Testing

@testable import RigLab

/// A worker hangs if it makes no progress while the rig looks.
///
/// Once the host stopped the whole virtual machine for half a minute. When it went on, the rig saw
/// that nothing had changed for 30 s, and four kills of one run and one of another failed by `hang`.
@Suite struct StallDetectorTests {
    private static let detector = StallDetector(
        seconds: 30, limitSeconds: 600, interruption: Interruption())

    /// Looks every so often, and returns the seconds until the rig gives up; nil if it does not.
    private func secondsUntilGivingUp(
        lookingEvery step: Double, for seconds: Double, progress: (Double) -> UInt64,
        pausing pause: (at: Double, for: Double)? = nil
    ) -> (seconds: Double, end: StallDetector.End?)? {
        let began = ContinuousClock.now
        var stall = Self.detector.begin(0, at: began)
        var time = 0.0
        while time < seconds {
            time += step
            if let pause, time >= pause.at, time - step < pause.at { time += pause.for }
            let now = began + .seconds(time)
            if Self.detector.isExhausted(&stall, progress: progress(time), at: now) {
                return (time, stall.end)
            }
        }
        return nil
    }

    @Test(arguments: [0.001, 0.5])
    func aWorkerThatStandsStillIsGivenUpAfterItsTime(step: Double) throws {
        let found = try #require(
            secondsUntilGivingUp(lookingEvery: step, for: 60, progress: { _ in 0 }))
        #expect(found.end == .stalled)
        #expect((30..<31).contains(found.seconds), "\(found.seconds)")
    }

    @Test func aMachineThatStoodStillIsNoHang() throws {
        let found = try #require(
            secondsUntilGivingUp(
                lookingEvery: 0.001, for: 300, progress: { _ in 0 }, pausing: (10, 200)))
        #expect(found.end == .stalled)
        #expect((229..<231).contains(found.seconds), "\(found.seconds)")
    }

    /// The disk answers again after 100 s, and the worker has its time from then on.
    @Test func aDiskThatDoesNotAnswerIsNoHang() throws {
        let waits = Mutex([70.0])
        let detector = StallDetector(
            seconds: 30, interruption: Interruption(),
            diskSeconds: { waits.withLock { $0.popLast() ?? 0.1 } })
        let began = ContinuousClock.now
        var stall = detector.begin(0, at: began)
        var time = 0.0
        while time < 300 {
            let before = waits.withLock(\.count)
            time += 0.5
            let isOver = detector.isExhausted(&stall, progress: 0, at: began + .seconds(time))
            if isOver { break }
            if waits.withLock(\.count) < before { time += 70 }
        }
        #expect(stall.end == .stalled)
        #expect((130..<133).contains(time), "\(time)")
    }

    @Test func aDiskThatAnswersTakesLittleTime() throws {
        let folder = try TemporaryFolder()
        #expect(DiskProbe.seconds(in: folder.file("absent")) == 0)
        #expect(DiskProbe.seconds(in: folder.path) > 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aLaunchMayNotLastForEver() throws {
        let found = try #require(
            secondsUntilGivingUp(
                lookingEvery: 0.1, for: 900, progress: { UInt64($0) }, pausing: (10, 100)))
        #expect(found.end == .overran)
        #expect((698..<701).contains(found.seconds), "\(found.seconds)")
    }

    @Test func progressStartsTheTimeAnew() {
        #expect(
            secondsUntilGivingUp(lookingEvery: 0.1, for: 500, progress: { UInt64($0 / 29) }) == nil)
    }
}
