internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigRun
internal import RigVerdict

/// `rig kill-test`: defines the options; ``KillTest`` does the work.
struct KillTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill-test",
        abstract: "Run kill iterations against a worker, write a run folder, apply the gates.",
        discussion: """
            Each iteration starts from nothing: a worker downloads the video, is killed at a \
            planned moment (by signal 9, or by what --fault says), its state is examined on a \
            copy, it is launched again, has to complete the video, and the completed file is \
            compared byte by byte.
            """)

    @Option(name: .long, help: "Iterations per policy.")
    var iterations = RunSettings.standardIterations

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Commit policies, separated by commas: sizes or 'disabled'.", valueName: "list"))
    var thresholds = "512KB"

    @Option(name: .long, help: "What commits must survive: process or power.")
    var durability: Durability = .process

    @OptionGroup var video: VideoOptions

    @OptionGroup var worker: WorkerOptions

    @OptionGroup var work: WorkloadOptions

    @OptionGroup var kill: KillOptions

    @OptionGroup var phases: PhaseOptions

    @OptionGroup var gates: GateOptions

    @OptionGroup var configuration: ConfigurationOptions

    @OptionGroup var parts: PartitionOptions

    @OptionGroup var parallel: JobOptions

    @Option(name: .long, help: "The whole plan follows from it; printed when not given.")
    var seed: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp("The run folder; results/<run-id> by default.", valueName: "dir"))
    var out: String?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Print JSON: of a run a line for every event as it happens, described in "
                + "harness/ci/README.md; of plan one document."))
    var json = false

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Say where the time of the iterations went, stage by stage, and write timings.csv into "
                + "the run folder."))
    var timings = false

    @OptionGroup var export: ExportOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...KillPlan.mostIterations).contains(iterations) else {
            throw ValidationError("--iterations must be from 1 to \(KillPlan.mostIterations).")
        }
        try kill.check(workload: work.workload)
        try phases.check(kill)
        try parts.check(self)
        try parallel.check()
        for fault in video.originFault {
            guard let objection = fault.kind.killTestObjection, !work.changes(by: fault) else {
                continue
            }
            throw ValidationError(
                "--origin-fault \(fault.text) cannot be judged: \(objection). "
                    + "Use it with 'rig serve'.")
        }
        let policies = try policies
        try kill.check(policies: policies)
        try work.check(policies: policies, video: video)
    }

    /// The policies in the order given.
    var policies: [Policy] {
        get throws {
            let names = thresholds.split(separator: ",", omittingEmptySubsequences: false)
            let policies = try names.map { name in
                guard let policy = Policy(String(name), durability: durability) else {
                    throw ValidationError(
                        "'\(name)' is no threshold; give sizes such as 512KB, or disabled.")
                }
                return policy
            }
            guard Set(policies).count == policies.count else {
                throw ValidationError("--thresholds names a policy twice; name each once.")
            }
            return policies
        }
    }

    func run() async throws {
        let console = output.console
        try await console.guarded {
            try await KillTest(try settings(), console: console).run()
        }
    }

    /// The run that the options ask for.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 for an invalid worker or gate, and for what
    ///   the worker does not support; 65 for a baseline that cannot be read.
    func settings() throws -> RunSettings {
        // The only use of the system's randomness in a run: its seed, which is printed.
        var settings = RunSettings(
            profile: try worker.profile(), policies: try policies,
            seed: seed ?? UInt64.random(in: 0...0xFFFF_FFFF), startedAt: .now)
        settings.workerOption = worker.option
        settings.values = work.values
        settings.iterations = iterations
        settings.workload = work.workload
        settings.video = video.settings
        settings.bandwidth = video.bandwidth?.bytesPerSecond
        settings.originFaults = video.originFault
        settings.port = video.port == 0 ? nil : video.port
        settings.trigger = kill.trigger
        settings.pinned = kill.at
        settings.isExhaustive = kill.exhaustive
        settings.isStratified = phases.stratify
        settings.fault = kill.fault
        settings.kills = kill.kills
        settings.timeLimit = kill.timeLimit
        settings.partition = parts.partition
        settings.jobs = parallel.jobs
        settings.out = out
        settings.json = json
        settings.showsTimings = timings
        settings.metrics = export.exportOpenmetrics
        settings.command = ["rig"] + Configuration.words
        try settings.checkWorker()
        settings.gates = try gates.given() ?? Gate.defaults
        settings.baseline = try GateBaseline.given(gates.baseline, for: settings.gates)
        settings.baselinePath = gates.baselinePath
        return settings
    }
}
