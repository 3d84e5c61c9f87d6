internal import Fixture
internal import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict

/// One run, from its plan to its verdict.
package struct KillTest {
    let settings: RunSettings
    let console: Console
    let programs: Programs
    /// The worker with the settings applied, its programs by their paths.
    let worker: WorkerProfile
    let runID: String
    let interruption = Interruption()
    let started = ContinuousClock.now

    /// Checks everything that can be checked before anything is started.
    package init(_ settings: RunSettings, console: Console) throws {
        (self.settings, self.console) = (settings, console)
        runID = RunID.make(
            seed: settings.seed, at: settings.startedAt, partition: settings.partition)
        try settings.checkGates()
        programs = try Programs.find()
        worker = try programs.installed(settings.profile).setting(settings.values)
    }

    /// Executes the run, or the part of it that was asked for.
    package func run() async throws -> ExitStatus {
        try RunEnvironment.check(settings.fault, leaving: settings.crashModel)
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        // Checked early, so that an unreadable video or a moment outside it leaves no run folder
        // behind.
        let local = try settings.video.local()
        let plan = try local.map(settings.checkedPlan)
        if let partition = settings.partition {
            return try await runPart(partition, of: local, digest: plan?.digest)
        }
        let (folder, lock) = try RunFolder.claim(settings.out ?? "results/\(runID)")
        defer {
            if lock.release() { folder.removeIfEmpty() }
        }
        do {
            return try await carryOut(local, in: folder)
        } catch let error as RigError where error.status.isRefusal && !folder.hasRows {
            // There is nothing in it that the message does not say.
            folder.discard()
            throw error
        }
    }

    private func carryOut(
        _ local: ReferenceVideo?, in folder: RunFolder
    ) async throws -> ExitStatus {
        let video = try await video(local, into: folder)
        let manifest = try await describe(video, in: folder)
        let baseline = try baseline(of: manifest)
        let progress = try await Campaign(
            manifest: manifest, video: video, folder: folder, lastingPath: folder.path,
            programs: programs, interruption: interruption, console: console, events: events,
            showsTimings: settings.showsTimings,
            prepared: { if settings.out == nil { folder.linkAsLatest() } }
        ).run()
        return try RunConclusion(
            folder: folder, manifest: manifest, gates: settings.gates, baseline: baseline,
            json: settings.json, started: started, console: console, events: events
        ).conclude(progress)
    }

    /// What the gates compare with: of a history, the runs of this job, now that it is known.
    private func baseline(of manifest: Manifest) throws -> GateBaseline? {
        guard settings.gates.contains(where: { $0.comparesWith(.history) }) else {
            return settings.reference
        }
        let baseline = try GateBaseline.given(of: manifest, for: settings.gates)
        var size = settings.size(of: manifest.plan, phases: try manifest.reach)
        size.baseline = baseline
        try Gate.check(settings.gates, size: size)
        return baseline
    }

    /// Plans the run and writes its manifest before it starts.
    private func describe(_ video: ReferenceVideo, in folder: RunFolder) async throws -> Manifest {
        let plan = try await settle(
            try settings.checkedPlan(video: video), video: video, folder: folder)
        let measured = try await measure(plan, video: video, folder: folder)
        var manifest = manifest(plan, video: video, folder: folder)
        manifest.bandwidth = measured.pace
        manifest.calls = measured.calls
        manifest.provenance = await programs.provenance(of: settings.profile)
        try folder.write(try ManifestJSON.text(manifest), to: "manifest.json")
        console.note("rig: run \(runID), seed \(settings.seed), folder \(folder.path)")
        events?.result(RunEvents.run(manifest, folder: folder.path))
        console.removeLeftovers(beside: folder)
        return manifest
    }

    /// The video that was found locally; otherwise the fetched one.
    func video(_ local: ReferenceVideo?, into folder: RunFolder) async throws -> ReferenceVideo {
        if let local { return local }
        if case .url(let url, _) = settings.video { console.detail("rig: fetching \(url)") }
        return try await settings.video.reference(
            into: folder, unless: interruption, warn: console.error)
    }

    /// Receives the run's events for programs; nil unless requested.
    var events: Console? { settings.json ? console : nil }

    /// The manifest, with the pace that needs no measuring.
    func manifest(_ plan: KillPlan, video: ReferenceVideo, folder: RunFolder) -> Manifest {
        settings.manifest(
            runID: runID, plan: plan, video: video, worker: worker, folder: folder,
            pace: settings.pace(length: video.bytes.length))
    }

    /// Runs a body with a laboratory for what has to be known before the run.
    func tryOut<Value>(
        _ manifest: Manifest, video: ReferenceVideo, folder: RunFolder,
        do body: (Laboratory) async throws -> Value
    ) async throws -> Value {
        let scratch = try folder.makeScratch()
        defer { folder.removeScratch() }
        return try await RunEnvironment.with(
            manifest, mark: runID, programs: programs, scratch: scratch,
            interruption: interruption, console: console
        ) { try await body($0.laboratory(manifest, video: video, scratch: scratch)) }
    }
}
