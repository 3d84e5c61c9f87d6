import Foundation
import Synchronization
import TestSupport
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
        by detector: StallDetector = Self.detector, lookingEvery step: Double, for seconds: Double,
        progress: (Double) -> UInt64, pausing pause: (at: Double, for: Double)? = nil
    ) -> (seconds: Double, end: StallDetector.End?)? {
        let began = ContinuousClock.now
        var stall = detector.begin(0, at: began)
        var time = 0.0
        while time < seconds {
            time += step
            if let pause, time >= pause.at, time - step < pause.at { time += pause.for }
            let now = began + .seconds(time)
            if detector.isExhausted(&stall, progress: progress(time), at: now) {
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

    /// The disk answers from the third time on, and the worker has its time from then on.
    @Test func aDiskThatDoesNotAnswerIsNoHang() throws {
        let asked = Mutex(0)
        let detector = StallDetector(
            seconds: 30, interruption: Interruption(),
            doesDiskAnswer: {
                asked.withLock { asked in
                    asked += 1
                    return asked > 2
                }
            })
        let seconds = try secondsUntilStalled(detector) { _ in }
        #expect((90...92).contains(seconds))
        #expect(asked.withLock(\.self) == 3)
    }

    /// A thread that waits for a processor four fifths of its time has its 30 s after 150 s, and
    /// the first 30 s do not count, because nothing is known of them.
    @Test func onlyTimeInWhichTheWorkerCouldRunCounts() throws {
        let clock = Mutex(0.0)
        let detector = StallDetector(
            seconds: 30, interruption: Interruption(),
            processorWaits: {
                let time = clock.withLock(\.self)
                return ProcessorWaits(threads: [
                    1: .init(ran: 5, waited: 7, isRunnable: false),
                    2: .init(ran: UInt64(time * 2e8), waited: UInt64(time * 8e8), isRunnable: true),
                ])
            })
        let seconds = try secondsUntilStalled(detector) { time in clock.withLock { $0 = time } }
        #expect((180...183).contains(seconds))
    }

    /// The kernel adds a wait to the others only when it ends.
    @Test func aWorkerThatNeverGetsAProcessorDoesNotHang() throws {
        let clock = Mutex(0.0)
        let detector = StallDetector(
            seconds: 30, interruption: Interruption(),
            processorWaits: {
                // From 200 s on it can run, and sleeps.
                let isRunnable = clock.withLock(\.self) < 200
                return ProcessorWaits(threads: [
                    1: .init(
                        ran: 5, waited: isRunnable ? 0 : 200_000_000_000, isRunnable: isRunnable)
                ])
            })
        let seconds = try secondsUntilStalled(detector) { time in clock.withLock { $0 = time } }
        #expect((240...300).contains(seconds))
    }

    private func secondsUntilStalled(
        _ detector: StallDetector, at look: (Double) -> Void
    ) throws -> Double {
        let found = secondsUntilGivingUp(by: detector, lookingEvery: 0.25, for: 600) { time in
            look(time)
            return 0
        }
        #expect(found?.end == .stalled)
        return try #require(found?.seconds)
    }

    /// A thread that sleeps and one that is busy, both of a process of this life.
    @Test func theKernelTellsHowLongThreadsRan() async throws {
        let mark = RunMark(entry: "RIG_TEST_LIFE=\(UUID())", folder: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "sleep 600 & while :; do :; done"]
        process.environment = ["RIG_TEST_LIFE": String(mark.entry.dropFirst(14))]
        try process.run(within: patience)
        defer { kill(process.processIdentifier, SIGKILL) }
        let first = ProcessorWaits.now(of: mark)
        try await eventually("the busy one has run") {
            let now = ProcessorWaits.now(of: mark).threads
            return now.count == 2
                && now.contains { $1.isRunnable && $1.ran > (first.threads[$0]?.ran ?? 0) }
        }
        for id in ProcessorWaits.now(of: mark).threads.keys { kill(id, SIGKILL) }
    }

    @Test func aDiskThatAnswersIsLeftAsItWas() throws {
        let folder = try TemporaryFolder()
        #expect(DiskProbe.answers(in: folder.file("absent"), within: 60))
        #expect(DiskProbe.answers(in: folder.path, within: 60))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// With no time at all to answer, a disk still answered when the probe's thread ran first.
    @Test func aDiskThatStoresNothingDoesNotAnswer() throws {
        let folder = try TemporaryFolder()
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        #expect(!DiskProbe.answers(in: folder.path, within: 0.01) { _ in isOver.wait() })
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
