internal import Fixture
internal import FixtureOrigin
internal import RigModel
internal import Synchronization
internal import Witness

/// What every workload needs to carry out an iteration: the origin, folders, and workers.
final class IterationContext: Sendable {
    let settings: LaboratorySettings
    let origin: FixtureOrigin
    let interruption: Interruption
    let phases: PhaseCounts
    let isSound: @Sendable (IterationEvidence) -> Bool
    private let launcher: WorkerLauncher
    private let numbers = Atomic(0)
    private let place = Mutex<HeldPlace?>(nil)

    init(
        settings: LaboratorySettings, origin: FixtureOrigin, interruption: Interruption,
        phases: PhaseCounts = PhaseCounts(),
        isSound: @escaping @Sendable (IterationEvidence) -> Bool = { _ in true }
    ) {
        (self.phases, self.isSound, self.settings) = (phases, isSound, settings)
        (self.origin, self.interruption) = (origin, interruption)
        settings.fault.forbidImages()
        let variables = settings.environment.merging(settings.fault.workerEnvironment) { $1 }
        // A server and its client are one program for the check.
        launcher = WorkerLauncher(
            environment: variables, fault: settings.fault, asksGroup: settings.worker.check != nil)
    }

    /// A number that no life has had: processes left from an earlier life cannot reach its URL.
    func newNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    /// The folder of an iteration; that of all is not made again: it may be another run's by now.
    func newFolder(_ number: Int) throws -> IterationFolder {
        if let loss = place.withLock({ $0?.loss }) { throw loss }
        try settings.volume?.wipe()
        let folder = try IterationFolder(
            creating: "\(settings.scratch)/\(number)", state: settings.volume?.state,
            outputInState: settings.worker.completesInPlace ? settings.fileName : nil)
        try place.withLock { $0 = try $0 ?? HeldPlace(settings.scratch) }
        return folder
    }

    func hold(for planned: PlannedKill, of policy: Policy) -> PhaseHold? {
        phases.hold(for: planned, of: policy, workload: settings.workload)
    }

    func sockets(
        of mounts: FollowedMounts, besides page: WitnessWatch, in folder: IterationFolder
    ) -> SocketLevel {
        let ledger = SocketLedger(origin: origin, mounts: mounts, interruption: interruption)
        return SocketLevel(
            sockets: SocketWatch(
                page: page, ledger: ledger, mounts: mounts.mounts,
                keepsPage: settings.worker.writesWitness),
            stateWatch: settings.worker.source.map { _ in StateWatch(folder) })
    }

    func unmount(_ mounts: FollowedMounts) { for mount in mounts.mounts { origin.unmount(mount) } }

    func stallDetector(_ folder: IterationFolder) -> StallDetector {
        let mark = folder.mark
        return StallDetector(
            seconds: settings.patienceSeconds, limitSeconds: settings.timeLimitSeconds,
            interruption: interruption, bytesOnDisk: { folder.bytesOnDisk },
            processorWaits: { ProcessorWaits.now(of: mark) },
            doesDiskAnswer: { folder.doesDiskAnswer })
    }

    func monitor(
        _ watch: any WorkerWatch, until length: Int64, in folder: IterationFolder,
        isOver: @escaping @Sendable () -> Bool = { false }
    ) -> WorkerMonitor {
        WorkerMonitor(
            watch: watch, videoLength: length, stallDetector: stallDetector(folder), isOver: isOver)
    }

    func controller(
        for planned: PlannedKill, in iteration: Iteration, _ watch: any WorkerWatch,
        _ hooks: KillHooks
    ) -> KillController {
        KillController(
            planned: planned, uninterruptedSeconds: iteration.pace.seconds,
            recoveries: iteration.pace.recoveries, watch: watch,
            stallDetector: stallDetector(iteration.folder), hooks: hooks,
            graceSeconds: settings.grace.seconds(seed: iteration.plan.seed, kill: planned.kill))
    }

    /// Runs a worker until it has ended and none of its processes is left.
    func launch(
        _ command: [String], in folder: IterationFolder, variables: [String: String] = [:],
        watch: @escaping @Sendable (LivingWorker) -> Milestones
    ) async throws -> Launch {
        let traces = try ProcessReaper(in: folder)
        let launch = try await watched(
            confined(command, in: folder), in: folder, variables: variables, traces: traces,
            watch: watch)
        return try await settled(launch, by: traces, wasKilled: wasEnded(launch.seen))
    }

    /// True where the rig ended a launch, which a checked program may force it to.
    func wasEnded(_ seen: Milestones) -> Bool {
        seen.sent || seen.gaveUp != nil || seen.wasForced && settings.worker.check != nil
    }

    /// Runs a worker until it has ended; processes that it may have left are looked for at once.
    func watched(
        _ command: [String], in folder: IterationFolder, variables: [String: String],
        traces: ProcessReaper, watch: @escaping @Sendable (LivingWorker) -> Milestones
    ) async throws -> Launch {
        let (death, seen) = try await start(
            command, in: folder, variables: variables, traces: traces,
            looksBehind: { !self.wasEnded($0) }
        ) { process -> Milestones in
            guard self.settings.worker.check != nil else { return watch(process) }
            let seen = watch(traces.withOutsiders(process))
            // A signal that is not 9 reaches the first process alone.
            if self.wasEnded(seen), self.settings.fault.hasMoment {
                traces.killRest(of: process)
            }
            return seen
        }
        return Launch(death: death, seen: seen)
    }

    /// A launch that has ended, once none of its processes is left.
    func settled(
        _ launch: Launch, by traces: ProcessReaper, wasKilled: Bool
    ) async throws -> Launch {
        let seen = launch.seen
        let (ended, memoryKills, outlived) = try await traces.settle(
            launch.death, of: settings.worker.name, wasKilled: wasKilled,
            mayExit: !settings.fault.hasMoment && seen.sent && seen.gaveUp == nil)
        var launch = launch
        (launch.ended, launch.memoryKills, launch.outlived) = (ended, memoryKills, outlived)
        return launch
    }

    /// Runs a program of which only `watch` tells until none of its processes is left.
    func run<Observed: Sendable>(
        _ command: [String], in folder: IterationFolder, wasKilled: Bool = false,
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        let traces = try ProcessReaper(in: folder)
        let end = try await start(
            command, in: folder, traces: traces, looksBehind: { _ in !wasKilled }, watch: watch)
        _ = try await traces.settle(end.death, of: settings.worker.name, wasKilled: wasKilled)
        return end
    }

    /// Where a worker may write, which is where its completed file has to lie.
    func writable(in folder: IterationFolder) -> [String] {
        folder.writable + (settings.worker.writable ?? [])
    }

    /// A worker's command that may write only where the rig looks, if the kernel can enforce it.
    func confined(_ command: [String], in folder: IterationFolder) -> [String] {
        let writable = writable(in: folder)
        return settings.confinement.map { Confinement.command(command, by: $0, to: writable) }
            ?? command
    }

    /// Runs a program; `looksBehind` says of what was observed whether it may have left processes.
    func start<Observed: Sendable>(
        _ command: [String], in folder: IterationFolder, variables: [String: String] = [:],
        traces: ProcessReaper, looksBehind: @escaping @Sendable (Observed) -> Bool = { _ in false },
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        let own = [
            WitnessWriter.environmentVariable: folder.witness,
            IterationFolder.markVariable: folder.realPath,
        ]
        let directory = settings.worker.workingDirectory.map {
            Placeholders.fill($0, with: ["dir": folder.state])
        }
        do {
            let result = try await launcher.run(
                command, log: folder.log, output: folder.standardOutput, in: directory,
                variables: folder.environment.merging(variables) { $1 }.merging(own) { $1 }
            ) { process in
                traces.note(process.processID)
                let observed = watch(process)
                if looksBehind(observed) { traces.lookBehind(process) }
                return observed
            }
            if interruption.isRaised { throw Interrupted() }
            return result
        } catch {
            throw folder.loss ?? error
        }
    }

    /// The error (69) for a worker that fails unharmed, by its last words where nothing else tells.
    func unable(
        _ folder: IterationFolder, _ detail: String, fault: String? = nil, advice: String? = nil
    ) -> RigError {
        RigError.unavailable(
            "the worker \(settings.worker.name) does not complete the \(settings.workload.work) "
                + "when it is not killed: \(fault ?? WorkerLog.tail(folder.log) ?? detail)"
                + (advice.map { "; \($0)" } ?? adviceOnPlaces(folder)))
    }

    private static let refusals = [
        "ermission denied", "peration not permitted", "EACCES", "EPERM", "ross-device", "EXDEV",
    ]

    private static let places =
        "may write only below {dir}, HOME and TMPDIR, not in /tmp or /dev/shm, and mount nothing"

    /// The advice on a worker that fails unharmed, which its confinement may be the reason of.
    private func adviceOnPlaces(_ folder: IterationFolder) -> String {
        let lines = WorkerLog.lines(folder.log) ?? []
        let refused = lines.filter { line in Self.refusals.contains { line.contains($0) } }
        guard settings.confinement != nil, !refused.isEmpty else {
            // One that says nothing does not say that it was refused a place either.
            let isSilent = settings.confinement != nil && lines.allSatisfy(\.isEmpty)
            return "; make its command work on its own first"
                + (isSilent ? "; it \(Self.places)\(wayOut)" : "")
                + OwnLimits.ofThisProcess.advice
        }
        // A shell would empty the file of the lines by that.
        if refused.contains(where: { $0.contains("/dev/std") }) {
            return "; write to what is open already, >&1 or >&2: /dev/stdout and /dev/stderr open"
                + " the rig's own file anew"
        }
        return
            "; a worker \(Self.places)\(wayOut)\(settings.worker.check == nil ? ", or / for all" : "")"
    }

    private var wayOut: String {
        settings.worker.check == nil
            ? ": name another place of its own as 'writable' in its profile"
            : ": have it keep all its files in {dir}, or name another place by --writable"
    }
}

extension LaboratorySettings {
    func complaint(of end: StallDetector.End) -> String {
        switch end {
        case .stalled: "made no progress for \(Self.text(patienceSeconds)) s"
        case .overran: "did not end within \(Self.text(timeLimitSeconds)) s"
        case .interrupted: "\(Interrupted())"
        }
    }

    /// Why a launch did not do its work, in words; nil where nothing tells.
    func failure(of launch: Launch, in folder: IterationFolder) -> String? {
        launch.seen.gaveUp.map(complaint) ?? launch.complaint ?? WorkerLog.tail(folder.log)
    }

    /// How a launch ended; `death` is that of another process that tells it.
    func end(
        _ life: LifeEnd.Life, of end: Launch, expectedDeath: Death?, death: Death? = nil
    ) -> LifeEnd {
        let death = death ?? end.death
        return LifeEnd(
            life, death, expectedDeath: expectedDeath,
            givenUp: end.seen.gaveUp.map(complaint) ?? end.neverReady,
            memoryKills: end.memoryKills, limit: OwnLimits.ofThisProcess.cause(of: death))
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
