internal import Fixture
internal import FixtureOrigin
internal import RigModel
internal import Synchronization
internal import Witness

/// What every workload needs to carry out an iteration: the origin, folders, and workers.
final class Workbench: Sendable {
    let settings: LaboratorySettings
    let origin: FixtureOrigin
    let interruption: Interruption
    /// How often workers enter each phase.
    let phases: PhaseCounts
    private let launcher: WorkerLauncher
    private let numbers = Atomic(0)

    /// A workbench whose origin is already listening.
    init(
        settings: LaboratorySettings, origin: FixtureOrigin, interruption: Interruption,
        phases: PhaseCounts = PhaseCounts()
    ) {
        self.phases = phases
        self.settings = settings
        self.origin = origin
        self.interruption = interruption
        settings.fault.forbidImages()
        let variables = settings.environment.merging(settings.fault.workerEnvironment) { $1 }
        launcher = WorkerLauncher(environment: variables, fault: settings.fault)
    }

    /// A number that no run of a worker has had: stragglers of an earlier one cannot reach its URL.
    func newNumber() -> Int {
        numbers.add(1, ordering: .relaxed).newValue
    }

    /// The folder of a run of a worker.
    func newFolder(_ number: Int) throws -> IterationFolder {
        try settings.volume?.wipe()
        return try IterationFolder(
            creating: "\(settings.scratch)/\(number)", state: settings.volume?.state,
            outputInState: settings.worker.completesInPlace ? settings.fileName : nil)
    }

    /// Where a planned kill finds its worker; nil when it is planned by something else.
    func hold(for planned: PlannedKill, of policy: Policy) -> PhaseHold? {
        phases.hold(for: planned, of: policy, workload: settings.workload)
    }

    /// What the sockets of a worker show that is about to be launched.
    ///
    /// - Parameters:
    ///   - mounts: what it downloads.
    ///   - places: where their bytes lie; at the first position when not given.
    ///   - page: where it may write its page.
    ///   - folder: where it keeps its state.
    /// - Returns: what its sockets show; nothing of a worker with a source of its own.
    func sockets(
        of mounts: [Mount], at places: FollowedMounts? = nil, besides page: WitnessWatch,
        in folder: IterationFolder
    ) -> SocketLevel {
        SocketLevel(
            of: mounts, at: places ?? FollowedMounts(mounts) { _ in 0 }, on: origin, besides: page,
            keepsPage: settings.worker.writesWitness,
            stateWatch: settings.worker.source.map { _ in StateWatch(folder) })
    }

    /// How long the worker of a folder may make no progress.
    func patience(_ folder: IterationFolder) -> Patience {
        Patience(
            seconds: settings.patienceSeconds, limitSeconds: settings.timeLimitSeconds,
            interruption: interruption, bytesOnDisk: { folder.bytesOnDisk })
    }

    /// What is said of a worker that the rig ended, and why.
    func complaint(of end: Patience.End) -> String { settings.complaint(of: end) }

    /// Runs a worker until it ends.
    ///
    /// - Throws: ``Interrupted`` when the user has asked to stop meanwhile.
    func launch<Observed: Sendable>(
        _ command: [String], in folder: IterationFolder, variables: [String: String] = [:],
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        let own = [WitnessWriter.environmentVariable: folder.witness]
        let result = try await launcher.run(
            command, log: folder.log, variables: own.merging(variables) { $1 }, watch: watch)
        if interruption.isRaised { throw Interrupted() }
        return result
    }

    /// The error for a worker that does not do its work although nobody harms it.
    func unable(_ folder: IterationFolder, _ detail: String) -> RigError {
        RigError(
            .unavailable,
            "the worker \(settings.worker.name) does not complete the \(settings.workload.work) "
                + "when nobody harms it: \(WorkerLog.tail(folder.log) ?? detail)")
    }
}

extension LaboratorySettings {
    /// What is said of a worker that the rig ended, and why.
    func complaint(of end: Patience.End) -> String {
        switch end {
        case .stalled: "made no progress for \(Self.text(patienceSeconds)) s"
        case .overran: "did not end within \(Self.text(timeLimitSeconds)) s"
        case .interrupted: "\(Interrupted())"
        }
    }

    /// How a life ended that was only watched.
    ///
    /// - Parameters:
    ///   - life: which one.
    ///   - end: what was seen of it.
    ///   - goodDeath: how it was to end; nil where it was asked to, and may answer as it likes.
    ///   - death: how it ended, where that is for another process to say.
    /// - Returns: its end.
    func end(
        _ life: LifeEnd.Life, of end: WorkerLife.End<Milestones>, goodDeath: Death?,
        death: Death? = nil
    ) -> LifeEnd {
        LifeEnd(
            life, death ?? end.death, goodDeath: goodDeath,
            givenUp: end.observed.end.map(complaint) ?? end.neverReady,
            memoryKills: end.memoryKills)
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension Workload {
    /// What is complete when the work is done.
    fileprivate var work: String { self == .offlineLibrary ? "list" : "video" }
}

extension Mount {
    /// The ledger in the model's terms; requests that asked for no bytes of the video are left out.
    ///
    /// - Parameter base: where the video begins among several.
    /// - Returns: the requests, in the order in which they came.
    func servedRequests(at base: Int64 = 0) -> [ServedRequest] {
        ledger.compactMap { entry in
            entry.requested.map {
                ServedRequest(
                    requested: $0.lowerBound + base..<$0.upperBound + base,
                    servedBytes: Int64(entry.servedBytes))
            }
        }
    }
}
