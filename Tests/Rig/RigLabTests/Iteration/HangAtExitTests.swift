import FixtureOrigin
import Foundation
import Glibc
import RigModel
import Testing

@testable import RigLab

/// A worker whose work is done, and that does not end when it is asked to, hangs.
///
/// With a careless change the rig killed it, and did not note that it had given it up: the row passed.
@Suite(.timeLimit(.minutes(2))) struct HangAtExitTests {
    /// Shows a worker that makes progress until it is ready, and none from then on.
    private struct StillWatch: WorkerWatch {
        let isReady: @Sendable () -> Bool

        var glance: Glance {
            Glance(progress: isReady() ? 0 : DispatchTime.now().uptimeNanoseconds)
        }
        var knowsWhatItHas: Bool { true }
        var hasReachedHold: Bool { false }
    }

    /// Ignores the request to end.
    private static let deaf = "trap '' TERM; : > \"$0\"; while :; do sleep 0.02; done"
    /// Ends when it is asked to, with a code of its own.
    private static let gentle = "trap 'exit 7' TERM; : > \"$0\"; while :; do sleep 0.02; done"

    private static func detector(_ seconds: Double, limit: Double = .infinity) -> StallDetector {
        StallDetector(seconds: seconds, limitSeconds: limit, interruption: Interruption())
    }

    /// Runs a program that writes a file when it is ready, and watches it from then on.
    private func run<Observed: Sendable>(
        _ script: String,
        _ watch: @escaping @Sendable (LivingWorker, @escaping @Sendable () -> Bool) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        let folder = try TemporaryFolder()
        let ready = folder.file("ready")
        let result = try await WorkerLauncher(environment: [:]).run(
            ["/bin/sh", "-c", script, ready], log: folder.file("log")
        ) { worker in
            watch(worker) { FileManager.default.fileExists(atPath: ready) }
        }
        withExtendedLifetime(folder) {}
        return result
    }

    private func dismiss(
        _ script: String, _ stallDetector: StallDetector, parting: Double = .infinity
    ) async throws -> (death: Death, observed: Milestones) {
        try await run(script) { worker, isReady in
            var hooks = KillHooks()
            hooks.isOver = isReady
            var controller = KillController(
                planned: PlannedKill(kill: 1, trigger: .bytes(1_000), delaySeconds: 0),
                uninterruptedSeconds: .infinity, watch: StillWatch(isReady: isReady),
                stallDetector: stallDetector, hooks: hooks)
            controller.partingSeconds = parting
            return controller.killWorker(worker)
        }
    }

    private func attend(
        _ script: String, _ stallDetector: StallDetector, parting: Double = .infinity
    ) async throws -> (death: Death, observed: Milestones) {
        try await run(script) { worker, isReady in
            var monitor = WorkerMonitor(
                watch: StillWatch(isReady: isReady), videoLength: 10, stallDetector: stallDetector,
                isOver: isReady)
            monitor.partingSeconds = parting
            return monitor.attend(worker)
        }
    }

    /// A server whose client is done may take its time, and is killed without a word.
    @Test(
        arguments: [
            (deaf, detector(0.3), .infinity, .stalled, .signaled(SIGKILL)),
            (deaf, detector(60, limit: 0.3), .infinity, .overran, .signaled(SIGKILL)),
            (deaf, detector(60), 0.3, nil, .signaled(SIGKILL)),
            (deaf, detector(0.3), 60, nil, .signaled(SIGKILL)),
            (gentle, detector(60), .infinity, nil, .exited(7)),
        ] as [(String, StallDetector, Double, StallDetector.End?, Death)])
    func aWorkerThatIsDoneAndDoesNotEndIsGivenUp(
        script: String, stallDetector: StallDetector, parting: Double, end: StallDetector.End?,
        expected: Death
    ) async throws {
        let (death, outcome) = try await dismiss(script, stallDetector, parting: parting)
        #expect(outcome.gaveUp == end)
        #expect(!outcome.sent && outcome.moment == nil, "it is no kill")
        #expect(death == expected)
        #expect(outcome.excuse == nil)
    }

    @Test(
        arguments: [
            (deaf, detector(0.3), .infinity, .stalled, .signaled(SIGKILL)),
            (deaf, detector(60), 0.3, nil, .signaled(SIGKILL)),
            (gentle, detector(60), .infinity, nil, .exited(7)),
        ] as [(String, StallDetector, Double, StallDetector.End?, Death)])
    func aLaunchWithoutAKillHangsAtItsEndAsWell(
        script: String, stallDetector: StallDetector, parting: Double, end: StallDetector.End?,
        expected: Death
    ) async throws {
        let (death, seen) = try await attend(script, stallDetector, parting: parting)
        #expect(seen.gaveUp == end && seen.wasAsked)
        #expect(death == expected)
        guard end != nil else { return }
        let (over, lastLook) = (try #require(seen.over), try #require(seen.lastLook))
        #expect(over < lastLook, "its work was over before it was given up")
    }

    // MARK: what the evidence says of it

    private static let settings = LaboratorySettings(
        worker: WorkerProfile(name: "worker", command: ["worker"]),
        resources: [Resource(source: BytesVideo.pattern(10))], fileName: "v.mp4",
        scratch: "/nowhere", environment: [:])

    @Test(
        arguments: [
            (.stalled, "made no progress for 30 s"), (.overran, "did not end within 600 s"),
            (nil, nil),
        ] as [(StallDetector.End?, String?)])
    func aLifeThatWasGivenUpSaysWhy(end: StallDetector.End?, words: String?) {
        let launch = Launch(death: .exited(0), seen: Milestones(gaveUp: end))
        var life = KilledRun(
            planned: PlannedKill(kill: 1, trigger: .bytes(1), delaySeconds: 0), launch: launch,
            page: .failure(.absent))
        let struck = life.end(as: .struck, expectedDeath: .exited(0), settings: Self.settings)
        #expect(struck.givenUp == words)
        #expect(struck.isGood == (words == nil), "an exit code does not make up for it")
        let watched = Self.settings.end(.relaunched, of: launch, expectedDeath: .exited(0))
        #expect(watched.givenUp == words)
        // A server that was never ready is given up for that.
        life.launch.neverReady = "did not listen"
        let never = life.end(as: .struck, expectedDeath: .exited(0), settings: Self.settings)
        #expect(never.givenUp == words ?? "did not listen")
    }

    @Test func theExportThatHangsIsOfTheRelaunch() {
        let end = Launch(death: .exited(0), seen: Milestones(), neverReady: "did not listen")
        let relaunched = Self.settings.end(
            .relaunched, of: end, expectedDeath: .exited(0), death: .signaled(9))
        #expect(relaunched.givenUp == "did not listen")
        #expect(relaunched.death == .signaled(9))
    }
}
