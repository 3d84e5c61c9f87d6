internal import Foundation
internal import Fixture
package import FixtureOrigin
package import RigModel
internal import Synchronization
internal import Witness

/// What every iteration of a run shares.
package struct LaboratorySettings: Sendable {
    /// The worker under test.
    package let worker: WorkerProfile
    /// What the origin serves, and how fast.
    package let resource: Resource
    /// The last part of the video's URL.
    package let fileName: String
    /// A folder of the rig's own for the state of the iteration under way; emptied as needed.
    package let scratch: String
    /// Environment variables for every worker, on top of the rig's own.
    package let environment: [String: String]
    /// Seconds without a byte or a commit after which a worker counts as stuck.
    package let patienceSeconds: Double

    /// Settings of a run.
    package init(
        worker: WorkerProfile, resource: Resource, fileName: String, scratch: String,
        environment: [String: String], patienceSeconds: Double = 30
    ) {
        self.worker = worker
        self.resource = resource
        self.fileName = fileName
        self.scratch = scratch
        self.environment = environment
        self.patienceSeconds = patienceSeconds
    }
}

/// Carries out iterations: launches, kills, looks, relaunches, compares.
///
/// It judges nothing.
package final class Laboratory: Sendable {
    let settings: LaboratorySettings
    let origin: FixtureOrigin
    let interruption: Interruption
    private let launcher: WorkerLauncher
    private let mounts = Atomic(0)
    /// Seconds from first byte to end of the shortest uninterrupted run seen, by policy.
    private let uninterrupted = Mutex<[Policy: Double]>([:])

    /// A laboratory whose origin is already listening.
    package init(settings: LaboratorySettings, origin: FixtureOrigin, interruption: Interruption) {
        self.settings = settings
        self.origin = origin
        self.interruption = interruption
        launcher = WorkerLauncher(environment: settings.environment)
    }

    var video: any VideoSource { settings.resource.source }
    private var state: String { "\(settings.scratch)/state" }
    private var witnessPath: String { "\(settings.scratch)/witness" }
    private var output: String { "\(settings.scratch)/output" }
    /// The worker's standard output and error in the iteration under way.
    package var log: String { "\(settings.scratch)/worker.log" }
    /// The state as the last kill left it, read but not changed by the autopsy.
    package var stateCopy: String { "\(settings.scratch)/as-the-kill-left-it" }

    private var patience: Patience {
        Patience(seconds: settings.patienceSeconds, interruption: interruption)
    }

    /// A path that no iteration has used: stragglers of an earlier one cannot reach it.
    private func newPath() -> String {
        let number = mounts.add(1, ordering: .relaxed).newValue
        return "/\(number)/\(settings.fileName)"
    }

    private func beginAfresh() throws {
        let files = FileManager.default
        for path in [state, log, output, stateCopy] where files.fileExists(atPath: path) {
            try files.removeItem(atPath: path)
        }
        try files.createDirectory(atPath: state, withIntermediateDirectories: true)
    }

    private func freshWitness() throws -> WitnessWatch {
        try? FileManager.default.removeItem(atPath: witnessPath)
        return try WitnessWatch(path: witnessPath)
    }

    private func placeholders(_ mount: Mount, _ policy: Policy) -> WorkerPlaceholders {
        WorkerPlaceholders(url: mount.url, directory: state, output: output, policy: policy)
    }

    private func launch<Observed: Sendable>(
        _ command: [String], watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        let result = try await launcher.run(
            command, log: log, variables: [WitnessWriter.environmentVariable: witnessPath],
            watch: watch)
        if interruption.isRaised { throw Interrupted() }
        return result
    }
}

// MARK: - The uninterrupted run

extension Laboratory {
    /// Measures how long a policy takes from its first byte to its end when nobody harms it: the
    /// unit of the `time` trigger.
    ///
    /// The shortest run counts, so that a fraction of it lies inside any run. A worker that ends
    /// before its kill has shown a shorter one, and is remembered for the kills that follow.
    ///
    /// - Parameters:
    ///   - policy: the policy to measure.
    ///   - runs: how many runs.
    /// - Returns: seconds.
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete the video.
    @discardableResult
    package func measureUninterrupted(_ policy: Policy, runs: Int = 5) async throws -> Double {
        for _ in 0..<runs {
            remember(try await uninterruptedRun(policy), of: policy)
        }
        return uninterruptedSeconds(of: policy)
    }

    private func uninterruptedSeconds(of policy: Policy) -> Double {
        uninterrupted.withLock { $0[policy] } ?? .infinity
    }

    private func remember(_ seconds: Double, of policy: Policy) {
        uninterrupted.withLock { $0[policy] = min($0[policy] ?? .infinity, seconds) }
    }

    private func uninterruptedRun(_ policy: Policy) async throws -> Double {
        try beginAfresh()
        let mount = origin.mount(settings.resource, at: newPath())
        defer { origin.unmount(mount) }
        let onlooker = Onlooker(
            witness: try freshWitness(), videoLength: video.length, patience: patience)
        let command = placeholders(mount, policy).fill(settings.worker.command)
        let (death, seen) = try await launch(command) { onlooker.watch($0) }
        guard death == .exited(0), let first = seen.firstByte, let complete = seen.complete else {
            throw RigError(
                .unavailable,
                "the worker \(settings.worker.name) does not complete the video when nobody "
                    + "harms it: \(WorkerLog.tail(log) ?? "\(death)")")
        }
        return complete - first
    }
}

// MARK: - One iteration

extension Laboratory {
    /// Carries out one iteration: launch, kill, autopsy, relaunch, complete, compare.
    ///
    /// - Parameter plan: what is to happen; for the `time` trigger its policy has been measured.
    /// - Returns: everything observed.
    /// - Throws: ``Interrupted``; ``RigError`` when the rig or the worker cannot go on.
    package func perform(_ plan: PlannedIteration) async throws -> IterationEvidence {
        try beginAfresh()
        let path = newPath()
        let unit = uninterruptedSeconds(of: plan.policy)
        let struck = try await launchAndKill(plan, path: path, seconds: unit)
        try StateCopy.copy(from: state, to: stateCopy)
        let (autopsy, autopsyError) = inspect(url: struck.url)
        let resumption = try await relaunch(plan.policy, path: path)
        return IterationEvidence(
            plan: plan, kill: 1, fault: .sigkill, videoLength: video.length, death: struck.death,
            killSent: struck.strike.sent, killSeconds: struck.strike.killSeconds,
            killFraction: struck.strike.sent && unit.isFinite
                ? struck.strike.secondsSinceFirstByte.map { $0 / unit } : nil,
            requests: struck.requests, witness: struck.witness, autopsy: autopsy,
            autopsyError: autopsyError, resumption: resumption)
    }

    private struct Struck {
        let death: Death
        let strike: Strike
        let witness: WitnessReading?
        let requests: [ServedRequest]
        let url: String
    }

    private func launchAndKill(
        _ plan: PlannedIteration, path: String, seconds: Double
    ) async throws -> Struck {
        let mount = origin.mount(settings.resource, at: path)
        defer { origin.unmount(mount) }
        if case .bytes(let planned) = plan.trigger { mount.hold(afterDistinctBytes: planned) }
        let witness = try freshWitness()
        let nemesis = Nemesis(
            trigger: plan.trigger, delaySeconds: plan.delaySeconds, uninterruptedSeconds: seconds,
            witness: witness, patience: patience)
        let command = placeholders(mount, plan.policy).fill(settings.worker.command)
        let (death, strike) = try await launch(command) { nemesis.strike($0) }
        mount.cut()
        if !strike.sent, death == .exited(0), let seconds = strike.secondsSinceFirstByte {
            remember(seconds, of: plan.policy)
        }
        return Struck(
            death: death, strike: strike, witness: witness.reading,
            requests: mount.servedRequests, url: mount.url)
    }

    private func inspect(url: String) -> (Autopsy?, String?) {
        guard let inspection = settings.worker.inspection else { return (nil, nil) }
        do {
            let inspector = StateInspector(inspection: inspection, video: video, url: url)
            return (try inspector.inspect(copy: stateCopy), nil)
        } catch {
            return (nil, "\(error)")
        }
    }

    private func relaunch(_ policy: Policy, path: String) async throws -> Resumption {
        let mount = origin.mount(settings.resource, at: path)
        defer { origin.unmount(mount) }
        let onlooker = Onlooker(
            witness: try freshWitness(), videoLength: video.length, patience: patience)
        let placeholders = placeholders(mount, policy)
        let (death, seen) = try await launch(placeholders.fill(settings.worker.command)) {
            onlooker.watch($0)
        }
        let requests = mount.servedRequests
        var exported = death
        if let export = settings.worker.export, death == .exited(0) {
            (exported, _) = try await launch(placeholders.fill(export)) { onlooker.watch($0) }
        }
        let comparison = try FileComparison.compare(file: output, with: video)
        let stuck = "made no progress for \(Int(settings.patienceSeconds)) s"
        return Resumption(
            death: exported, requests: requests, recoverySeconds: seen.recovered,
            resumeSeconds: seen.firstByte, differingBytes: comparison?.differingBytes,
            firstDifference: comparison?.firstDifference,
            complaint: exported == .exited(0)
                ? nil : seen.wasEnded ? stuck : WorkerLog.tail(log))
    }
}

extension Mount {
    /// The ledger in the model's terms; requests that asked for no bytes of the video are left out.
    fileprivate var servedRequests: [ServedRequest] {
        ledger.compactMap { entry in
            entry.requested.map {
                ServedRequest(requested: $0, servedBytes: Int64(entry.servedBytes))
            }
        }
    }
}
