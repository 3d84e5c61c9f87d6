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
    let policies: [Policy]
    let gates: [Gate]
    let seed: UInt64
    let started = ContinuousClock.now

    /// Checks everything that can be checked before anything is started.
    ///
    /// - Throws: ``RigError`` with exit code 64 for gates and settings that cannot be, 69 for a
    ///   missing worker.
    init(command: KillTestCommand, console: Console) throws {
        self.command = command
        self.console = console
        policies = try command.policies
        gates = try command.gates.given() ?? Gate.defaults
        // An exhaustive run has as many iterations as there turn out to be calls.
        try Gate.check(
            gates,
            size: RunSize(
                policies: policies.map(\.name),
                iterations: command.kill.exhaustive ? KillPlan.mostIterations : command.iterations))
        programs = try Programs.find()
        worker = try WorkerProfile.downloader(executable: programs.downloader)
            .setting(command.work.values)
        // The one place where a run draws on the machine's randomness: its seed, which it prints.
        seed = command.seed ?? UInt64.random(in: 0...0xFFFF_FFFF)
    }

    /// Carries the run out.
    func run() async throws -> ExitStatus {
        if command.kill.fault == .oom { try MemoryGroups.check() }
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        // A video that cannot be read, or a moment outside it, leaves no run folder behind.
        let local = command.video.videoURL == nil ? try command.video.localVideo() : nil
        if let local { _ = try makePlan(video: local) }
        let runID = RunID.make(seed: seed)
        let folder = try RunFolder(creating: command.out ?? "results/\(runID)")
        defer { folder.removeIfEmpty() }
        let video =
            if let local { local } else {
                try await fetchVideo(into: folder, unless: interruption)
            }
        let plan = try await settle(
            try makePlan(video: video), runID: runID, video: video, folder: folder,
            interruption: interruption)
        let manifest = makeManifest(runID: runID, plan: plan, video: video, folder: folder)
        try folder.write(try ManifestJSON.text(manifest), to: "manifest.json")
        if command.out == nil { folder.linkAsLatest() }
        console.note("rig: run \(runID), seed \(seed), folder \(folder.path)")

        let stage = try await RunStage.open(
            manifest, mark: runID, programs: programs, port: command.video.port,
            interruption: interruption)
        let campaign = Campaign(
            laboratory: try stage.laboratory(
                manifest, video: video, scratch: try folder.makeScratch()),
            folder: folder, manifest: manifest, console: console)
        let outcome = await campaign.run()
        await stage.close()
        folder.removeScratch()
        return try conclude(outcome, folder: folder, manifest: manifest)
    }

    private func fetchVideo(
        into folder: RunFolder, unless interruption: Interruption
    ) async throws -> ReferenceVideo {
        guard let url = command.video.videoURL else {
            throw RigError(.usage, "--video names no URL; give a file or an http(s) address")
        }
        console.detail("rig: fetching \(url)")
        return try await .fetch(url, into: folder, unless: interruption)
    }

    /// The origin's pace in bytes per second; nil for unlimited.
    private var pace: Int64? { command.work.pace(command.video.bandwidth) }

    private func makePlan(video: ReferenceVideo) throws -> KillPlan {
        let videoLength = command.work.workload.length(
            videoLength: video.bytes.length, policies: policies)
        var pinned: Trigger?
        if let moment = command.kill.at {
            pinned = moment.trigger(of: command.kill.trigger, videoLength: videoLength)
            guard pinned != nil else {
                throw RigError(
                    .usage,
                    "--at \(moment.text) does not fit --trigger \(command.kill.trigger.rawValue): give "
                        + moment.expected(by: command.kill.trigger, videoLength: videoLength)
                )
            }
        }
        let reach = PhaseReach(
            workload: command.work.workload, policies: policies, videoLength: videoLength,
            capacity: command.work.capacity?.bytes)
        return KillPlan(
            seed: seed, iterations: command.iterations, policies: policies,
            trigger: command.kill.trigger, pinned: pinned, videoLength: videoLength,
            refinement: try command.phases.refine(
                command.kill.refinement, pinned: pinned, kind: command.kill.trigger, reach: reach))
    }

    func makeManifest(
        runID: String, plan: KillPlan, video: ReferenceVideo, folder: RunFolder
    ) -> Manifest {
        Manifest(
            runID: runID, command: ["rig"] + CommandLine.arguments.dropFirst(),
            versions: ["rig": Rig.version, "sqlite": MachineFacts.sqliteVersion],
            machine: MachineFacts.read(folder: folder.path), worker: "downloader",
            fault: command.kill.fault,
            workload: command.work.workload, settings: command.work.values,
            environment: worker.variablesSetHere, plan: plan,
            video: .init(source: video.source, length: video.bytes.length, etag: video.etag),
            bandwidth: pace, originFaults: command.video.originFault, gates: gates.map(\.text),
            startedAt: RunID.timestamp())
    }

    /// Writes what the rows show, and says it.
    private func conclude(
        _ outcome: Campaign.Outcome, folder: RunFolder, manifest: Manifest
    ) throws -> ExitStatus {
        let ending = outcome.ending.early
        let summary = try RunSummary(
            manifest: manifest, rows: outcome.rows, gates: gates, ending: ending?.status,
            endingReason: ending?.message)
        try folder.write(SummaryCSV.text(summary.policies), to: "summary.csv")
        try folder.write(SummaryJSON.text(summary), to: "summary.json")
        try folder.write(SummaryMarkdown.text(summary), to: "summary.md")
        console.result(
            command.json
                ? SummaryJSON.text(summary)
                : TerminalTable.text(summary, color: console.usesColor))
        let elapsed = (ContinuousClock.now - started).seconds
        console.note(
            "rig: \(outcome.rows.count) kills in \(MetricUnit.readableSeconds(elapsed)), "
                + "rows in \(folder.path)/iterations.csv")
        if case .failed(let error) = outcome.ending { throw error }
        return summary.status
    }
}

/// The name of a run.
enum RunID {
    /// A name that sorts by time and tells runs of the same second apart.
    static func make(seed: UInt64) -> String {
        let stamp = timestamp().filter { $0.isNumber || $0 == "T" }
        return "\(stamp)-\(String(seed & 0xFFFF_FFFF, radix: 36))"
            + "-\(ProcessInfo.processInfo.processIdentifier)"
    }

    /// Now, in UTC, as ISO 8601 writes it.
    static func timestamp() -> String {
        Date.now.formatted(.iso8601)
    }
}
