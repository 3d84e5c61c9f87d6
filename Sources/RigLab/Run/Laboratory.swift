internal import Dispatch
internal import Fixture
package import FixtureOrigin
package import RigModel

/// What every iteration of a run shares.
package struct LaboratorySettings: Sendable {
    /// The worker under test.
    package let worker: WorkerProfile
    /// What the worker does.
    package let workload: Workload
    /// What happens at each kill.
    package let fault: Fault
    /// What the origin serves, and how fast: one video, or those that a player switches between.
    package let resources: [Resource]
    /// The last part of the video's URL.
    package let fileName: String
    /// The lists and images of `offline-library`.
    package let library: LibraryPlan
    /// The images' bytes, by number; none for another workload.
    let pictures: [MemoryVideo]
    /// What the origin serves from the relaunch on; nil for the same as before.
    package let successors: [Resource]?
    /// What the origin does wrong from the relaunch on, where it did not before.
    package let faultsAtRelaunch: [HTTPFault]
    /// The most bytes that the worker was told to keep; nil for more than there are (C6).
    package let capacity: Int64?
    /// A folder of the rig's own for the files of the iterations under way.
    package private(set) var scratch: String
    /// Where the workers keep their state instead, when its power is to be cut.
    package private(set) var volume: PowerCutVolume?
    /// Environment variables for every worker, on top of the rig's own.
    package let environment: [String: String]
    /// Seconds without a byte or a commit after which a worker counts as stuck.
    package let patienceSeconds: Double
    /// Seconds after which a life that nothing has ended is ended by the rig.
    package let timeLimitSeconds: Double
    /// The `rig` program, which confines workers, and traces those that are killed at calls; nil where
    /// neither is wanted.
    package let rig: String?

    /// How long a life may take when nothing is said, in seconds.
    package static let standardTimeLimit = 600.0

    /// Settings of a run over one video.
    package init(
        worker: WorkerProfile, resource: Resource, fileName: String, scratch: String,
        environment: [String: String], patienceSeconds: Double = 30,
        timeLimitSeconds: Double = Self.standardTimeLimit
    ) {
        self.init(
            worker: worker, workload: .download, resources: [resource], fileName: fileName,
            scratch: scratch, environment: environment, patienceSeconds: patienceSeconds,
            timeLimitSeconds: timeLimitSeconds)
    }

    /// Settings of a run.
    ///
    /// - Parameters:
    ///   - worker: the worker under test.
    ///   - workload: what it does.
    ///   - fault: what happens at each kill.
    ///   - resources: the videos, at least one, all of the same length.
    ///   - fileName: the last part of each video's URL.
    ///   - library: the lists and images; those of the default threshold when not given.
    ///   - successors: what each video is from the relaunch on, with another ETag; nil when it stays
    ///     what it is. A player's are of the same length.
    ///   - faultsAtRelaunch: what the origin does wrong from the relaunch on.
    ///   - capacity: the most bytes that the worker was told to keep; nil without a limit.
    ///   - scratch: a folder of the rig's own.
    ///   - volume: where the workers keep their state when its power is to be cut.
    ///   - environment: variables for every worker.
    ///   - patienceSeconds: when a worker counts as stuck.
    ///   - timeLimitSeconds: how long any life may take.
    ///   - rig: the `rig` program; nil for workers that are neither confined nor traced.
    package init(
        worker: WorkerProfile, workload: Workload, fault: Fault = .sigkill,
        resources: [Resource], fileName: String,
        library: LibraryPlan = LibraryPlan(largest: 512 << 10), successors: [Resource]? = nil,
        faultsAtRelaunch: [HTTPFault] = [], capacity: Int64? = nil, scratch: String,
        volume: PowerCutVolume? = nil, environment: [String: String],
        patienceSeconds: Double = 30, timeLimitSeconds: Double = Self.standardTimeLimit,
        rig: String? = nil
    ) {
        precondition(!resources.isEmpty, "an origin without a video has nothing to serve")
        self.worker = worker
        self.workload = workload
        self.fault = fault
        self.resources = resources
        self.fileName = fileName
        self.library = library
        pictures = workload == .offlineLibrary ? library.pictures : []
        self.successors = successors
        self.faultsAtRelaunch = faultsAtRelaunch
        self.capacity = capacity
        // A program may change its folder, and then a relative path would lead elsewhere.
        precondition(scratch.hasPrefix("/"), "workers need absolute paths")
        self.scratch = scratch
        self.volume = volume
        self.environment = environment
        self.patienceSeconds = patienceSeconds
        self.timeLimitSeconds = timeLimitSeconds
        self.rig = rig
    }

    /// The same for another job: everything but where it keeps its files.
    ///
    /// - Parameters:
    ///   - scratch: a folder of the job's own.
    ///   - volume: where its workers keep their state when its power is to be cut.
    /// - Returns: the settings.
    package func placed(in scratch: String, volume: PowerCutVolume?) -> LaboratorySettings {
        precondition(scratch.hasPrefix("/"), "workers need absolute paths")
        var settings = self
        settings.scratch = scratch
        settings.volume = volume
        return settings
    }

    /// The length of all that the origin serves.
    package var served: Int64 { resources.reduce(0) { $0 + $1.source.length } }

    /// The first video.
    package var resource: Resource { resources[0] }

    /// True when what a relaunched worker asks for says nothing of what it has kept: it may rightly
    /// ask for all of another version, and has to ask for all where ranges are ignored.
    var answersOtherwise: Bool {
        successors != nil || faultsAtRelaunch.contains { $0.kind == .ignoreRange }
    }

    /// What the worker's profile offers and promises.
    var contract: WorkerContract {
        WorkerContract(
            worker, fault: fault, bytesPerSecond: resource.bytesPerSecond.map { Int64($0) })
    }
}

extension LibraryPlan {
    /// Bytes that follow from the image's number.
    fileprivate var pictures: [MemoryVideo] {
        imageBytes.enumerated().map { number, count in
            var random = SplitMix64(seed: UInt64(number))
            return MemoryVideo(
                (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }
}

/// What came of an iteration.
package struct IterationOutcome: Sendable {
    /// Everything observed, kill by kill.
    package var kills: [IterationEvidence]
    /// The files it rests on, until they are discarded.
    package let folder: IterationFolder
    /// Has taken the time of the iteration so far.
    package let stopwatch: IterationStopwatch
}

/// Carries out iterations: launches, kills, looks, relaunches, compares.
///
/// How is for the workload's scenario to say. It judges nothing.
package final class Laboratory: Sendable {
    let scenario: any Scenario
    /// True when the worker has to do its work unharmed before it is killed.
    package let holdsWorkerToItsWork: Bool
    private let knowledge: WorkerKnowledge
    private let interruption: Interruption
    private let room: DiskRoom
    private let scratch: String
    /// Says whether evidence shows nothing wrong.
    let isSound: @Sendable (IterationEvidence) -> Bool
    private let discarding = DispatchQueue(label: "rig.discarding")

    /// A laboratory whose origin is already listening.
    ///
    /// - Parameters:
    ///   - settings: what its iterations share; scratch folder and volume are its own.
    ///   - origin: an origin of its own.
    ///   - interruption: whether the user has asked to stop.
    ///   - knowledge: what is known of the worker; shared by the laboratories of a run.
    ///   - room: the room on the rig's disk; shared like that.
    ///   - isSound: the judge's word on a life that no kill has ended. One of which it is false is
    ///     the iteration's row, and is not begun anew.
    package init(
        settings: LaboratorySettings, origin: FixtureOrigin, interruption: Interruption,
        knowledge: WorkerKnowledge = WorkerKnowledge(), room: DiskRoom? = nil,
        isSound: @escaping @Sendable (IterationEvidence) -> Bool
    ) {
        self.knowledge = knowledge
        self.isSound = isSound
        self.interruption = Interruption(within: interruption)
        self.room = room ?? DiskRoom(served: settings.served)
        scratch = settings.scratch
        holdsWorkerToItsWork = settings.worker.isHeldToItsWork
        scenario = Scenarios.make(
            Workbench(
                settings: settings, origin: origin, interruption: self.interruption,
                phases: knowledge.phases))
    }

    /// Breaks off the iteration under way, and every later one: ``perform(_:)`` throws
    /// ``Interrupted``.
    func abandon() { interruption.raise() }

    /// Measures how long a policy takes from its first byte to its end when nobody harms it: the
    /// unit of the `time` trigger.
    ///
    /// The median of the latest runs counts, and the run goes on measuring, so that a machine that
    /// gets slower or faster is followed. Where every iteration is a run of another length, each is
    /// measured by itself, right before its kill, and this is only a look whether the worker can do
    /// its work at all.
    ///
    /// - Parameters:
    ///   - policy: the policy to measure.
    ///   - runs: how many runs; fewer when they take longer than 3 s together.
    /// - Returns: seconds.
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work.
    @discardableResult
    package func measureUninterrupted(
        _ policy: Policy, runs: Int = WorkerKnowledge.latestRuns
    ) async throws -> Double {
        let began = ContinuousClock.now
        let watch = try room.take(in: scratch, kills: 1)
        defer { withExtendedLifetime(watch) {} }
        let plan = KillPlan(
            seed: 0, iterations: 1, policies: [policy], trigger: .time, videoLength: 3
        ).iteration(1, policy: policy)
        for _ in 0..<(scenario.isMeasuredEachTime ? 1 : runs) {
            let run = try await UnharmedFailure.endingTheRun {
                try await scenario.uninterruptedRun(plan)
            }
            knowledge.remember(run, of: policy)
            if (ContinuousClock.now - began).seconds > 3 { break }
        }
        return knowledge.pace(of: policy).seconds
    }

    /// Counts how often the workers of a policy enter each phase when nobody harms them.
    ///
    /// - Parameters:
    ///   - policy: the policy to look at.
    ///   - runs: how many runs; where iterations differ, so do they.
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work.
    package func countPhases(_ policy: Policy, runs: Int = 3) async throws {
        let plan = KillPlan(
            seed: 0, iterations: runs, policies: [policy], trigger: .time, videoLength: 3)
        for planned in plan.schedule {
            _ = try await UnharmedFailure.endingTheRun {
                try await scenario.uninterruptedRun(planned)
            }
        }
    }

    /// How often an iteration is begun whose phase did not come as often as in other runs.
    private static let mostAttempts = 4

    /// How often an iteration is begun whose life was over before its kill by the clock, or by flowing
    /// bytes.
    ///
    /// Where half of the lives are, one iteration in thirty-two is left; a worker that is always
    /// done before is one that such kills cannot reach, and has to show as that.
    private static let mostTimedAttempts = 5

    /// Carries out one iteration: launch, kill, autopsy, relaunch, complete, compare.
    ///
    /// - Parameter plan: what is to happen; for the `time` trigger its policy has been measured.
    /// - Returns: everything observed, which ``discard(_:)`` is to be called with.
    /// - Throws: ``Interrupted``; ``RigError`` when the rig or the worker cannot go on, with exit code
    ///   70 where the rig's own disk has no room for it.
    package func perform(_ plan: PlannedIteration) async throws -> IterationOutcome {
        let watch = try room.take(in: scratch, kills: plan.kills.count)
        let outcome: IterationOutcome
        do {
            outcome = try await performed(plan)
        } catch let error
            where !(error is Interrupted) && (error as? RigError)?.isOfLeftover != true
        {
            throw watch.shortage(used: 0) ?? error
        }
        guard !outcome.kills.allSatisfy(isSound),
            let shortage = watch.shortage(used: outcome.folder.bytesOfDisk)
        else { return outcome }
        discard(outcome)
        throw shortage
    }

    private func performed(_ plan: PlannedIteration) async throws -> IterationOutcome {
        let stopwatch = IterationStopwatch(of: plan)
        let (pace, failed) = try await pace(of: plan)
        var attempts = 0
        var lives = 0
        while true {
            var outcome = try await untilItsCall(
                plan, pace: pace, stopwatch: stopwatch, lives: &lives)
            attempts += 1
            knowledge.learn(from: outcome.kills.first)
            guard isToBeBegunAnew(outcome, after: attempts) else {
                outcome.kills[0].attempts = lives
                // No kill came by the clock then: what the row shows is this.
                if let failed { outcome.kills[0].lives.append(failed) }
                return outcome
            }
            discard(outcome)
        }
    }

    /// True where the planned moment did not come, for no fault of the worker's, and may yet come.
    private func isToBeBegunAnew(_ outcome: IterationOutcome, after attempts: Int) -> Bool {
        guard outcome.kills.allSatisfy(isSound) else { return false }
        if outcome.kills.contains(where: \.wasMissed) {
            return attempts < Self.mostTimedAttempts
        }
        return attempts < Self.mostAttempts && knowledge.phases.learn(from: outcome)
    }

    /// What is known of uninterrupted runs of an iteration, as near to the kill as can be.
    ///
    /// - Returns: that, and how the run ended in which that was measured, where the worker
    ///   failed in it.
    private func pace(of plan: PlannedIteration) async throws -> (UnharmedPace, failed: LifeEnd?) {
        let isTimed = plan.kills.contains { if case .time = $0.trigger { true } else { false } }
        let known =
            scenario.isMeasuredEachTime
            ? UnharmedPace([]) : knowledge.pace(of: plan.policy)
        guard isTimed,
            scenario.isMeasuredEachTime || knowledge.isMeasurementDue(of: plan.policy)
        else { return (known, nil) }
        do {
            let run = try await scenario.uninterruptedRun(plan)
            if scenario.isMeasuredEachTime { return (UnharmedPace([run]), nil) }
            knowledge.remember(run, of: plan.policy)
            return (knowledge.pace(of: plan.policy), nil)
        } catch let failure as UnharmedFailure {
            return (known, failure.end)
        }
    }

    /// Removes an iteration's files; freeing their pages need not hold up the next iteration.
    ///
    /// Its stopwatch takes the time.
    package func discard(_ outcome: IterationOutcome) {
        discarding.async { outcome.stopwatch.beside(.cleanUp) { outcome.folder.remove() } }
    }

    /// Waits until what was discarded is gone.
    func settle() async {
        await withCheckedContinuation { continuation in
            discarding.async { continuation.resume() }
        }
    }
}
