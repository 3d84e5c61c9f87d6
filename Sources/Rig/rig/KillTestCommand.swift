internal import ArgumentParser
internal import RigLab
internal import RigModel
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
    var iterations = Self.standardIterations

    /// Enough to rule out a violation rate of 3 %.
    static let standardIterations = 100

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

    @OptionGroup var control: ControlOptions

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
                + "harness/ci/README.md; of plan, --self-check and --documented one document."))
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
        try control.check(self)
        try parts.check(self)
        try parallel.check(self)
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
            let test = try KillTest(command: self, console: console)
            if control.isWanted { return try await test.runControl() }
            if let partition = parts.partition { return try await test.runPart(partition) }
            return try await test.run()
        }
    }
}

/// The gates of a run, as given on the command line.
struct GateOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A condition that the run must satisfy, e.g. 'loss_percent <= 5'; may be repeated. "
                + "'violations == 0', 'corrupt_bytes == 0' and 'inconclusive_percent <= 10' apply, "
                + "too, each unless a gate of yours is about the same metric.", valueName: "expr"))
    var gate: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The same as --gate 'loss_percent <= P'.", valueName: "p"))
    var maxLossPercent: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A run folder, or the iterations.csv of one: what gates such as 'lost_bytes.median < +5% "
                + "vs baseline' compare with.", valueName: "run"))
    var baseline: String?

    /// True when no gate options were given.
    var isEmpty: Bool { gate.isEmpty && maxLossPercent == nil && baseline == nil }

    /// The given gates, plus the defaults for metrics that they do not mention; nil when none are
    /// given.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 for an invalid gate.
    func given() throws -> [Gate]? {
        let named = try gate.map { try Gate($0) }
        let limit = try maxLossPercent.map { [try Gate.maxLossPercent($0)] } ?? []
        let given = named + limit
        return given.isEmpty ? nil : Gate.withDefaults(given)
    }
}
