internal import Fixture
internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// One run, from its plan to its verdict.
struct KillTest {
    let command: KillTestCommand
    let console: Console
    let programs: Programs
    let worker: WorkerProfile
    let design: RunDesign
    let started = ContinuousClock.now

    /// Checks everything that can be checked before anything is started.
    ///
    /// - Throws: ``RigError`` with exit code 64 for invalid gates and settings, 69 for a missing
    ///   worker.
    init(command: KillTestCommand, console: Console) throws {
        self.command = command
        self.console = console
        design = try RunDesign(command)
        try design.checkGates()
        programs = try Programs.find()
        worker = try programs.installed(design.profile).setting(command.work.values)
    }

    /// Executes the run.
    func run() async throws -> ExitStatus {
        try RunStage.check(command.kill.fault)
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let local = try localVideo()
        let runID = RunID.make(seed: design.seed)
        try command.export.check()
        let (folder, lock) = try RunFolder.claim(command.out ?? "results/\(runID)")
        defer {
            lock.release()
            folder.removeIfEmpty()
        }
        return try await run(runID, over: local, in: folder, unless: interruption)
    }

    /// The video if it is available locally; nil for one that must be fetched.
    ///
    /// Checked early, so that an unreadable video or a moment outside it leaves no run folder
    /// behind.
    func localVideo() throws -> ReferenceVideo? {
        guard command.video.videoURL == nil else { return nil }
        let video = try command.video.localVideo()
        _ = try design.checkedPlan(video: video)
        return video
    }

    private func run(
        _ runID: String, over local: ReferenceVideo?, in folder: RunFolder,
        unless interruption: Interruption
    ) async throws -> ExitStatus {
        guard let video = local else {
            let fetched = try await fetchVideo(into: folder, unless: interruption)
            return try await run(runID, over: fetched, in: folder, unless: interruption)
        }
        let manifest = try await describe(
            runID: runID, video: video, folder: folder, interruption: interruption)
        let outcome = try await PlanExecution(
            manifest: manifest, video: video, folder: folder, lastingPath: folder.path,
            programs: programs, interruption: interruption, console: console, events: events,
            showsTimings: command.timings
        ).run()
        return try RunConclusion(
            folder: folder, manifest: manifest, gates: design.gates, baseline: design.baseline,
            json: command.json, started: started, console: console, events: events,
            metrics: command.export.exportOpenmetrics
        ).conclude(outcome)
    }

    /// Plans the run and writes its manifest before it starts.
    private func describe(
        runID: String, video: ReferenceVideo, folder: RunFolder, interruption: Interruption
    ) async throws -> Manifest {
        let plan = try await settle(
            try design.checkedPlan(video: video), runID: runID, video: video, folder: folder,
            interruption: interruption)
        var manifest = makeManifest(runID: runID, plan: plan, video: video, folder: folder)
        manifest.provenance = await programs.provenance(of: design.profile)
        try folder.write(try ManifestJSON.text(manifest), to: "manifest.json")
        if command.out == nil { folder.linkAsLatest() }
        console.note("rig: run \(runID), seed \(design.seed), folder \(folder.path)")
        events?.send(RunEvents.run(manifest, folder: folder.path))
        console.removeLeftovers(beside: folder)
        return manifest
    }

    func fetchVideo(
        into folder: RunFolder, unless interruption: Interruption
    ) async throws -> ReferenceVideo {
        guard let url = command.video.videoURL else {
            throw RigError(.usage, "--video names no URL; give a file or an http(s) address")
        }
        console.detail("rig: fetching \(url)")
        return try await .fetch(
            url, into: folder, limit: command.video.videoLimit, unless: interruption)
    }

    /// Receives the run's events for programs; nil unless requested.
    var events: EventStream? { command.json ? EventStream(console: console) : nil }

    /// The origin's bandwidth in bytes per second; nil when unlimited.
    private var pace: Int64? { command.work.pace(command.video.bandwidth) }

    func makeManifest(
        runID: String, plan: KillPlan, video: ReferenceVideo, folder: RunFolder
    ) -> Manifest {
        Manifest(
            runID: runID, command: ["rig"] + Configuration.words,
            versions: [
                "rig": Rig.version, "judge": "\(Judge.version)",
                "sqlite": MachineFacts.sqliteVersion,
            ],
            machine: MachineFacts.read(folder: folder.path), worker: worker.name,
            profile: design.profile, workerOption: command.worker.option,
            fault: command.kill.fault,
            workload: command.work.workload, settings: command.work.values,
            environment: worker.variablesSetHere, plan: plan,
            video: .init(source: video.source, length: video.bytes.length, etag: video.etag),
            bandwidth: pace, originFaults: command.video.originFault,
            timeLimit: command.kill.timeLimit,
            gates: design.gates.map(\.text),
            startedAt: RunID.timestamp(), partition: command.parts.partition,
            port: command.video.port == 0 ? nil : command.video.port,
            baseline: command.gates.baselinePath, jobs: command.parallel.jobs)
    }
}

/// The name of a run.
enum RunID {
    /// A name that sorts by time and is unique among runs of the same second.
    ///
    /// Parts of a run can start on several machines in the same second, with the same seed and, in
    /// containers, with the same process id.
    static func make(seed: UInt64, partition: RunPartition? = nil) -> String {
        let stamp = timestamp().filter { $0.isNumber || $0 == "T" }
        let part = partition.map { "-\($0.index)-of-\($0.count)" } ?? ""
        return "\(stamp)-\(String(seed & 0xFFFF_FFFF, radix: 36))"
            + "-\(ProcessInfo.processInfo.processIdentifier)\(part)"
    }

    /// The current time in UTC, as ISO 8601.
    static func timestamp() -> String {
        Date.now.formatted(.iso8601)
    }
}
