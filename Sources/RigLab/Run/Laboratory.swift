internal import Dispatch
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
    /// A folder of the rig's own for the files of the iterations under way.
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
    private let discarding = DispatchQueue(label: "rig.discarding")
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

    private func patience(_ folder: IterationFolder) -> Patience {
        Patience(
            seconds: settings.patienceSeconds, interruption: interruption,
            bytesOnDisk: { folder.bytesOnDisk })
    }

    /// A number that no run of a worker has had: stragglers of an earlier one cannot reach its URL.
    private func newNumber() -> Int {
        mounts.add(1, ordering: .relaxed).newValue
    }

    private func newFolder(_ number: Int) throws -> IterationFolder {
        try IterationFolder(creating: "\(settings.scratch)/\(number)")
    }

    private func urlPath(_ number: Int) -> String { "/\(number)/\(settings.fileName)" }

    private func placeholders(
        _ mount: Mount, _ folder: IterationFolder, _ policy: Policy
    ) -> WorkerPlaceholders {
        WorkerPlaceholders(
            url: mount.url, directory: folder.state, output: folder.output, policy: policy)
    }

    private func launch<Observed: Sendable>(
        _ command: [String], in folder: IterationFolder,
        watch: @escaping @Sendable (LivingWorker) -> Observed
    ) async throws -> (death: Death, observed: Observed) {
        let result = try await launcher.run(
            command, log: folder.log,
            variables: [WitnessWriter.environmentVariable: folder.witness], watch: watch)
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
    ///   - runs: how many runs; fewer when they take longer than 3 s together.
    /// - Returns: seconds.
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete the video.
    @discardableResult
    package func measureUninterrupted(_ policy: Policy, runs: Int = 7) async throws -> Double {
        let began = ContinuousClock.now
        for _ in 0..<runs {
            remember(try await uninterruptedRun(policy), of: policy)
            if (ContinuousClock.now - began).seconds > 3 { break }
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
        let number = newNumber()
        let folder = try newFolder(number)
        defer { folder.remove() }
        let mount = origin.mount(settings.resource, at: urlPath(number))
        defer { origin.unmount(mount) }
        let onlooker = Onlooker(
            witness: try folder.freshWitness(), videoLength: video.length,
            patience: patience(folder))
        let command = placeholders(mount, folder, policy).fill(settings.worker.command)
        let (death, seen) = try await launch(command, in: folder) { onlooker.watch($0) }
        guard death == .exited(0), let first = seen.firstByte, let complete = seen.complete else {
            throw RigError(
                .unavailable,
                "the worker \(settings.worker.name) does not complete the video when nobody "
                    + "harms it: \(WorkerLog.tail(folder.log) ?? "\(death)")")
        }
        return complete - first
    }
}

// MARK: - One iteration

/// What came of an iteration.
package struct IterationOutcome: Sendable {
    /// Everything observed.
    package let evidence: IterationEvidence
    /// The files it rests on, until they are discarded.
    package let folder: IterationFolder
}

extension Laboratory {
    /// Carries out one iteration: launch, kill, autopsy, relaunch, complete, compare.
    ///
    /// - Parameter plan: what is to happen; for the `time` trigger its policy has been measured.
    /// - Returns: everything observed, and the folder that ``discard(_:)`` is to be called with.
    /// - Throws: ``Interrupted``; ``RigError`` when the rig or the worker cannot go on.
    package func perform(_ plan: PlannedIteration) async throws -> IterationOutcome {
        let number = newNumber()
        let folder = try newFolder(number)
        let path = urlPath(number)
        let unit = uninterruptedSeconds(of: plan.policy)
        let struck = try await launchAndKill(plan, in: folder, path: path, seconds: unit)
        try StateCopy.copy(from: folder.state, to: folder.stateCopy)
        // The autopsy reads a copy: the worker may go on meanwhile.
        async let examined = onOwnThread { self.inspect(folder, url: struck.url) }
        let resumption = try await relaunch(plan.policy, in: folder, path: path)
        let (autopsy, autopsyError) = await examined
        let strike = struck.strike
        let evidence = IterationEvidence(
            plan: plan, kill: 1, fault: .sigkill, videoLength: video.length, death: struck.death,
            killSent: strike.sent, killSeconds: strike.killSeconds,
            killFraction: strike.sent && unit.isFinite
                ? strike.secondsSinceFirstByte.map { $0 / unit } : nil,
            requests: struck.requests, witness: struck.witness, autopsy: autopsy,
            autopsyError: autopsyError, resumption: resumption)
        return IterationOutcome(evidence: evidence, folder: folder)
    }

    /// Removes an iteration's files; freeing their pages need not hold up the next iteration.
    package func discard(_ folder: IterationFolder) {
        discarding.async { folder.remove() }
    }

    private struct Struck {
        let death: Death
        let strike: Strike
        let witness: WitnessReading?
        let requests: [ServedRequest]
        let url: String
    }

    private func launchAndKill(
        _ plan: PlannedIteration, in folder: IterationFolder, path: String, seconds: Double
    ) async throws -> Struck {
        let mount = origin.mount(settings.resource, at: path)
        defer { origin.unmount(mount) }
        if case .bytes(let planned) = plan.trigger { mount.hold(afterDistinctBytes: planned) }
        let witness = try folder.freshWitness()
        let nemesis = Nemesis(
            trigger: plan.trigger, delaySeconds: plan.delaySeconds, uninterruptedSeconds: seconds,
            witness: witness, patience: patience(folder))
        let command = placeholders(mount, folder, plan.policy).fill(settings.worker.command)
        let (death, strike) = try await launch(command, in: folder) { nemesis.strike($0) }
        mount.cut()
        if !strike.sent, death == .exited(0), let seconds = strike.secondsSinceFirstByte {
            remember(seconds, of: plan.policy)
        }
        return Struck(
            death: death, strike: strike, witness: witness.reading,
            requests: mount.servedRequests, url: mount.url)
    }

    private func inspect(_ folder: IterationFolder, url: String) -> (Autopsy?, String?) {
        guard let inspection = settings.worker.inspection else { return (nil, nil) }
        do {
            let inspector = StateInspector(inspection: inspection, video: video, url: url)
            return (try inspector.inspect(copy: folder.stateCopy), nil)
        } catch {
            return (nil, "\(error)")
        }
    }

    private func relaunch(
        _ policy: Policy, in folder: IterationFolder, path: String
    ) async throws -> Resumption {
        let mount = origin.mount(settings.resource, at: path)
        defer { origin.unmount(mount) }
        let onlooker = Onlooker(
            witness: try folder.freshWitness(), videoLength: video.length,
            patience: patience(folder))
        let placeholders = placeholders(mount, folder, policy)
        let command = placeholders.fill(settings.worker.command)
        let (death, seen) = try await launch(command, in: folder) { onlooker.watch($0) }
        let requests = mount.servedRequests
        var exported = death
        if let export = settings.worker.export, death == .exited(0) {
            (exported, _) = try await launch(placeholders.fill(export), in: folder) {
                onlooker.watch($0)
            }
        }
        let comparison = try FileComparison.compare(file: folder.output, with: video)
        let stuck = "made no progress for \(Int(settings.patienceSeconds)) s"
        return Resumption(
            death: exported, requests: requests, recoverySeconds: seen.recovered,
            resumeSeconds: seen.firstByte, differingBytes: comparison?.differingBytes,
            firstDifference: comparison?.firstDifference,
            complaint: exported == .exited(0)
                ? nil : seen.wasEnded ? stuck : WorkerLog.tail(folder.log))
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
