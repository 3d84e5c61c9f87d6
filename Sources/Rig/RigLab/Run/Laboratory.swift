internal import Dispatch
internal import Fixture
package import FixtureOrigin
package import RigModel

/// What all iterations of a run share.
package struct LaboratorySettings: Sendable {
    /// The worker under test.
    package let worker: WorkerProfile
    /// What the worker does.
    package let workload: Workload
    /// The fault that is injected at each kill.
    package let fault: Fault
    /// What the origin serves, and how fast: one video, or those that a player switches between.
    package let resources: [Resource]
    /// The last part of the video's URL.
    package let fileName: String
    /// The lists and images of `offline-library`.
    package let library: LibraryPlan
    /// The images' bytes, by number; empty for another workload.
    let pictures: [MemoryVideo]
    /// What the origin serves from the relaunch on; nil when it stays the same.
    package let successors: [Resource]?
    /// The faults that the origin has only from the relaunch on.
    package let faultsAtRelaunch: [HTTPFault]
    /// True if the origin's answers do not name their version by one strong validator.
    package let hidesVersion: Bool
    /// The most bytes that the worker was told to keep; nil without a limit (C6).
    package let capacity: Int64?
    /// How the power cut of `power-cut-torn` is modelled.
    package let crashModel: CrashModel
    /// How a killed worker is started again.
    package let relaunch: Relaunch
    /// How long a worker may take that the fault asks to end.
    package let grace: Grace
    /// The rig's own folder for the files of iterations in progress.
    package private(set) var scratch: String
    /// The volume on which the workers keep their state instead, when its power is to be cut.
    package private(set) var volume: PowerCutVolume?
    /// Environment variables for every worker, on top of the rig's own.
    package let environment: [String: String]
    /// Seconds without a byte or a commit after which a worker counts as stuck.
    package let patienceSeconds: Double
    /// Seconds after which the rig ends a life that has not ended before.
    package let timeLimitSeconds: Double
    /// The `rig` program, which traces workers that are killed at system calls; nil where none is.
    package let rig: String?
    /// The program through which workers are started, so that they may write only where the rig
    /// looks; nil where they may write anywhere.
    package let confinement: String?

    /// The default limit for a life, in seconds.
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
    ///   - fault: the fault that is injected at each kill.
    ///   - resources: the videos, at least one, all of the same length.
    ///   - fileName: the last part of each video's URL.
    ///   - library: the lists and images; those of the default threshold when not given.
    ///   - successors: what each video is from the relaunch on, with another ETag; nil when it
    ///     stays the same. A player's are of the same length.
    ///   - faultsAtRelaunch: the faults that the origin has only from the relaunch on.
    ///   - hidesVersion: true if its answers do not name their version by one strong validator.
    ///   - capacity: the most bytes that the worker was told to keep; nil without a limit.
    ///   - crashModel: how the power cut of `power-cut-torn` is modelled.
    ///   - relaunch: how a killed worker is started again.
    ///   - grace: how long a worker may take that the fault asks to end.
    ///   - scratch: a folder of the rig's own.
    ///   - volume: where the workers keep their state when its power is to be cut.
    ///   - environment: variables for every worker.
    ///   - patienceSeconds: when a worker counts as stuck.
    ///   - timeLimitSeconds: how long any life may take.
    ///   - rig: the `rig` program; nil for workers that are not traced.
    ///   - confinement: the program that confines workers; nil for those that are not.
    package init(
        worker: WorkerProfile, workload: Workload, fault: Fault = .sigkill,
        resources: [Resource], fileName: String,
        library: LibraryPlan = LibraryPlan(largest: 512 << 10), successors: [Resource]? = nil,
        faultsAtRelaunch: [HTTPFault] = [], hidesVersion: Bool = false, capacity: Int64? = nil,
        crashModel: CrashModel = CrashModel(), relaunch: Relaunch = .once,
        grace: Grace = .standard, scratch: String,
        volume: PowerCutVolume? = nil, environment: [String: String],
        patienceSeconds: Double = 30, timeLimitSeconds: Double = Self.standardTimeLimit,
        rig: String? = nil, confinement: String? = nil
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
        self.hidesVersion = hidesVersion
        self.capacity = capacity
        self.crashModel = crashModel
        self.relaunch = relaunch
        self.grace = grace
        // A program may change its working directory: a relative path would then lead elsewhere.
        precondition(scratch.hasPrefix("/"), "workers need absolute paths")
        self.scratch = scratch
        self.volume = volume
        self.environment = environment
        self.patienceSeconds = patienceSeconds
        self.timeLimitSeconds = timeLimitSeconds
        self.rig = rig
        self.confinement = confinement
    }

    /// The same settings for another job, except where it keeps its files.
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

    /// The length of everything that the origin serves.
    package var served: Int64 { resources.reduce(0) { $0 + $1.source.length } }

    /// The first video.
    package var resource: Resource { resources[0] }

    /// True when the origin fails at the relaunch and then recovers: a program that gives up is
    /// started again.
    var hasPassingFaults: Bool { faultsAtRelaunch.contains { $0.times != nil } }

    /// True when a relaunched worker's requests say nothing about what it has kept.
    ///
    /// It may rightly request all of another version or video, and of a video whose length the
    /// origin does not say; and it gets more than is missing where the origin sends more than was
    /// asked for. A worker that got no such answer shows what it has kept.
    func answersOtherwise(_ requests: [LedgerEntry]) -> Bool {
        let spoilt: Set<HTTPFault.Kind> = [
            .ignoreRange, .refuseIfRange, .earlyRange, .unknownTotal,
        ]
        return successors != nil
            || requests.contains { request in
                request.method == "GET" && !spoilt.isDisjoint(with: request.strikes)
            } || hasPassingFaults
    }

    /// What the worker's profile offers and promises.
    var contract: WorkerContract {
        WorkerContract(
            worker, fault: fault, bytesPerSecond: resource.bytesPerSecond.map { Int64($0) })
    }
}

/// The outcome of an iteration.
package struct IterationOutcome: Sendable {
    /// Everything observed, kill by kill.
    package var kills: [IterationEvidence]
    /// The files that the evidence rests on, until they are discarded.
    package let folder: IterationFolder
    /// The measured time of the iteration so far.
    package let stopwatch: IterationStopwatch
    /// How long the recoveries took that no kill ended, in seconds.
    var recoveries: [Double] = []
}

/// Carries out iterations: launches, kills, inspects, relaunches, compares.
///
/// The workload's scenario decides how. A laboratory judges nothing.
package final class Laboratory: Sendable {
    let scenario: any Scenario
    /// True when the worker must do its work unharmed before it is killed.
    package let holdsWorkerToItsWork: Bool
    let knowledge: WorkerKnowledge
    private let interruption: Interruption
    private let room: DiskRoom
    private let scratch: String
    /// True for evidence that shows nothing wrong.
    let isSound: @Sendable (IterationEvidence) -> Bool
    private let discarding = DispatchQueue(label: "rig.discarding")

    /// A laboratory whose origin is already listening.
    ///
    /// - Parameters:
    ///   - settings: what its iterations share; scratch folder and volume are its own.
    ///   - origin: an origin of its own.
    ///   - interruption: whether the user has asked to stop.
    ///   - knowledge: what is known about the worker; shared by the laboratories of a run.
    ///   - room: the room on the rig's disk; also shared.
    ///   - isSound: the judge's verdict on a life that no kill has ended. If it is false, that life
    ///     is the iteration's row, and the iteration is not started again.
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
        let context = IterationContext(
            settings: settings, origin: origin, interruption: self.interruption,
            phases: knowledge.phases, isSound: isSound)
        scenario =
            switch settings.workload {
            case .download: DownloadScenario(context: context)
            case .playback, .switching, .twoPlayers: PlayerScenario(context: context)
            case .offlineLibrary: LibraryScenario(context: context)
            }
    }

    /// Aborts the iteration in progress, and every later one: ``perform(_:)`` throws
    /// ``Interrupted``.
    func abandon() { interruption.raise() }

    /// Measures how long an unharmed worker takes from its first byte to its end: the unit of the
    /// `time` trigger.
    ///
    /// The median of the latest runs counts, and the run goes on measuring, so that it follows a
    /// machine that gets slower or faster. Where each iteration takes a different time, each is
    /// measured by itself, right before its kill, and this only checks whether the worker can do
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
            let run = try await UninterruptedFailure.endingTheRun {
                try await scenario.uninterruptedRun(plan)
            }
            knowledge.remember(run, of: policy)
            if (ContinuousClock.now - began).seconds > 3 { break }
        }
        return knowledge.pace(of: policy).seconds
    }

    /// Counts how often an unharmed worker enters each phase.
    ///
    /// - Parameters:
    ///   - policy: the policy to look at.
    ///   - runs: how many runs; where iterations differ, so do they.
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work.
    package func countPhases(_ policy: Policy, runs: Int = 3) async throws {
        let plan = KillPlan(
            seed: 0, iterations: runs, policies: [policy], trigger: .time, videoLength: 3)
        for planned in plan.schedule {
            _ = try await UninterruptedFailure.endingTheRun {
                try await scenario.uninterruptedRun(planned)
            }
        }
    }

    /// How often an iteration is started whose phase did not come as often as in other runs.
    private static let mostAttempts = 4

    /// How often an iteration is started whose life was over before its timed kill, or its kill
    /// while bytes flow.
    ///
    /// If that happens in half of the lives, one iteration in thirty-two is left. A worker that is
    /// always done before cannot be reached by such kills, and the results must show it.
    private static let mostTimedAttempts = 5

    /// Carries out one iteration: launch, kill, autopsy, relaunch, complete, compare.
    ///
    /// - Parameter plan: what is to happen; for the `time` trigger its policy has been measured.
    /// - Returns: everything observed; pass it to ``discard(_:)``.
    /// - Throws: ``Interrupted``; ``RigError`` when the rig or the worker cannot go on, with exit
    ///   code 70 where the rig's own disk has no room for it.
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
        try await measureRecovery(plan)
        var (pace, failed) = try await pace(of: plan)
        var attempts = 0
        var lives = 0
        while true {
            var outcome = try await untilItsCall(
                plan, pace: pace, stopwatch: stopwatch, lives: &lives)
            attempts += 1
            knowledge.learn(from: outcome.kills.first)
            knowledge.remember(recoveries: outcome.recoveries, of: plan.policy)
            guard isToBeBegunAnew(outcome, after: attempts) else {
                outcome.kills[0].attempts = lives
                // The measurement failed, so the row shows how that life ended.
                if let failed { outcome.kills[0].lives.append(failed) }
                return outcome
            }
            discard(outcome)
            let missed = outcome.kills.contains {
                $0.kill == 1 && $0.wasMissed && $0.planned.isTimed
            }
            if missed, failed == nil {
                knowledge.doubtPace(of: plan.policy)
                (pace, failed) = try await self.pace(of: plan)
            }
        }
    }

    /// True where the planned moment did not come, which is not the worker's fault, and still may.
    private func isToBeBegunAnew(_ outcome: IterationOutcome, after attempts: Int) -> Bool {
        guard outcome.kills.allSatisfy(isSound) else { return false }
        if outcome.kills.contains(where: \.wasMissed) {
            return attempts < Self.mostTimedAttempts
        }
        return attempts < Self.mostAttempts && knowledge.phases.learn(from: outcome)
    }

    /// What is known of uninterrupted runs of an iteration, measured as near to the kill as
    /// possible.
    ///
    /// - Returns: that, and how the measured life ended, where the worker failed in it.
    func pace(of plan: PlannedIteration) async throws -> (
        UninterruptedPace, failed: LifeEnd?
    ) {
        let isTimed = plan.kills.contains(where: \.isTimed)
        let known =
            scenario.isMeasuredEachTime
            ? UninterruptedPace([], recoveries: knowledge.recoveries(of: plan.policy))
            : knowledge.pace(of: plan.policy)
        guard isTimed,
            scenario.isMeasuredEachTime || knowledge.isMeasurementDue(of: plan.policy)
        else { return (known, nil) }
        do {
            let run = try await scenario.uninterruptedRun(plan)
            if scenario.isMeasuredEachTime {
                let recoveries = knowledge.recoveries(of: plan.policy)
                return (UninterruptedPace([run], recoveries: recoveries), nil)
            }
            knowledge.remember(run, of: plan.policy)
            return (knowledge.pace(of: plan.policy), nil)
        } catch let failure as UninterruptedFailure {
            return (known, failure.end)
        }
    }

    /// Removes an iteration's files in the background, so that the next iteration need not wait.
    ///
    /// The time is recorded by its stopwatch.
    package func discard(_ outcome: IterationOutcome) {
        discarding.async { outcome.stopwatch.beside(.cleanUp) { outcome.folder.remove() } }
    }

    /// Waits until everything discarded is gone.
    func settle() async {
        await withCheckedContinuation { continuation in
            discarding.async { continuation.resume() }
        }
    }
}
