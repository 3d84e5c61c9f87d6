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

    /// Creates the folder of an iteration; one of all iterations that was removed under the rig is not
    /// made again, as it may be another run's.
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

    /// The observation of the sockets of a worker to be launched, with the places of their bytes.
    func sockets(
        of mounts: [Mount], at places: FollowedMounts? = nil, besides page: WitnessWatch,
        in folder: IterationFolder
    ) -> SocketLevel {
        SocketLevel(
            of: mounts, at: places ?? FollowedMounts(mounts) { _ in 0 }, on: origin, besides: page,
            keepsPage: settings.worker.writesWitness,
            stateWatch: settings.worker.source.map { _ in StateWatch(folder) },
            interruption: interruption)
    }

    func stallDetector(_ folder: IterationFolder) -> StallDetector {
        let mark = folder.mark
        return StallDetector(
            seconds: settings.patienceSeconds, limitSeconds: settings.timeLimitSeconds,
            interruption: interruption, bytesOnDisk: { folder.bytesOnDisk },
            processorWaits: { ProcessorWaits.now(of: mark) },
            doesDiskAnswer: { folder.doesDiskAnswer })
    }

    /// Runs a worker until it has ended and none of its processes is left; `wasKilled` says whether
    /// what was observed shows that it did not end by itself.
    func launch<Observed: Sendable>(
        _ command: [String], in folder: IterationFolder, variables: [String: String] = [:],
        wasKilled: @escaping @Sendable (Observed) -> Bool = { _ in false },
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> Launch<Observed> {
        let traces = try ProcessReaper(in: folder)
        let (death, observed) = try await start(
            confined(command, in: folder), in: folder, variables: variables, traces: traces
        ) { process in
            let observed = watch(process)
            if !wasKilled(observed) { traces.lookBehind(process) }
            return observed
        }
        return try await traces.settle(
            Launch(death: death, observed: observed), of: settings.worker.name,
            wasKilled: wasKilled(observed))
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

    /// Runs a program of a worker until it ends.
    func start<Observed: Sendable>(
        _ command: [String], in folder: IterationFolder, variables: [String: String] = [:],
        traces: ProcessReaper, watch: @escaping @Sendable (LivingWorker) -> Observed
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
                return watch(process)
            }
            if interruption.isRaised { throw Interrupted() }
            return result
        } catch {
            throw folder.loss ?? error
        }
    }

    /// The error, with exit code 69, for a worker that does not do its work unharmed; what is not
    /// given is told by its last words, and by the advice on places.
    func unable(
        _ folder: IterationFolder, _ detail: String, fault: String? = nil, advice: String? = nil
    ) -> RigError {
        RigError(
            .unavailable,
            "the worker \(settings.worker.name) does not complete the \(settings.workload.work) "
                + "when it is not killed: \(fault ?? WorkerLog.tail(folder.log) ?? detail)"
                + (advice.map { "; \($0)" } ?? adviceOnPlaces(folder)))
    }

    /// Words in the messages of programs that were refused a permission.
    private static let refusals = [
        "ermission denied", "peration not permitted", "EACCES", "EPERM", "ross-device", "EXDEV",
    ]

    private static let places = "may write only below {dir}, HOME and TMPDIR, and mount nothing"

    /// The advice on a worker that fails unharmed, which its confinement may be the reason of.
    private func adviceOnPlaces(_ folder: IterationFolder) -> String {
        let lines = WorkerLog.lines(folder.log) ?? []
        guard settings.confinement != nil,
            lines.contains(where: { line in Self.refusals.contains { line.contains($0) } })
        else {
            // One that says nothing does not say that it was refused a place either.
            let isSilent = settings.confinement != nil && lines.allSatisfy(\.isEmpty)
            return "; make its command work on its own first"
                + (isSilent ? "; it \(Self.places)\(wayOut)" : "")
                + OwnLimits.ofThisProcess.advice
        }
        return
            "; a worker \(Self.places)\(wayOut)\(settings.worker.check == nil ? ", or / for all" : "")"
    }

    private var wayOut: String {
        settings.worker.check == nil
            ? ": name another place of its own as 'writable' in its profile"
            : ": have it keep all its files in {dir}"
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

    /// How a launch ended that was only watched; `death` is that of another process that tells it.
    func end(
        _ life: LifeEnd.Life, of end: Launch<Milestones>, expectedDeath: Death?, death: Death? = nil
    ) -> LifeEnd {
        let death = death ?? end.death
        return LifeEnd(
            life, death, expectedDeath: expectedDeath,
            givenUp: end.observed.end.map(complaint) ?? end.neverReady,
            memoryKills: end.memoryKills, limit: OwnLimits.ofThisProcess.cause(of: death))
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension Workload {
    fileprivate var work: String {
        switch self {
        case .offlineLibrary: "list"
        case .check: "work"
        case .download, .playback, .switching, .twoPlayers: "video"
        }
    }
}
