internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigRun

/// The size of a run, and what it is drawn from.
struct RunOptions: ParsableArguments {
    @Option(help: "Iterations per policy.") var iterations = RunSettings.standardIterations

    @Option(
        help: ArgumentHelp(
            "Commit policies, separated by commas: sizes, 'conservative' (256KB), 'default' (512KB), "
                + "'aggressive' (1MB), 'disabled', or 256KB+1MB for two players.",
            valueName: "list"))
    var thresholds = "512KB"

    @Option(help: "What commits must survive: process or power.")
    var durability: Durability = .process

    @Option(help: "The number that all kills follow from; random by default.") var seed: UInt64?

    func validate() throws {
        guard (1...KillPlan.mostIterations).contains(iterations) else {
            throw ValidationError("--iterations must be from 1 to \(KillPlan.mostIterations).")
        }
    }

    var policies: [Policy] {
        get throws {
            let names = thresholds.split(separator: ",", omittingEmptySubsequences: false)
            let policies = try names.map { name in
                guard let policy = Policy(String(name), durability: durability), !policy.isOfProgram
                else {
                    throw ValidationError(
                        "'\(name)' is no threshold; give sizes such as 512KB, conservative, default, "
                            + "aggressive or disabled, or two that differ, such as 256KB+1MB.")
                }
                return policy
            }
            guard Set(policies).count == policies.count else {
                throw ValidationError("--thresholds names a policy twice; name each once.")
            }
            return policies
        }
    }
}

extension EvidenceChoice: ExpressibleByArgument {}

/// What a run leaves and prints.
struct ResultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The run folder; results/<run-id> by default.", valueName: "dir"),
        completion: .directory)
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Of which failed kills the worker's state is kept: first, the first \(KeptStates.perKind) "
                + "of each kind of failure; or all.", valueName: "which"))
    var evidence: EvidenceChoice = .first

    @Flag(
        help: ArgumentHelp(
            "Print JSON: of a run a line for every event as it happens, described in "
                + "harness/ci/README.md; of plan one document."))
    var json = false

    @Flag(
        help: ArgumentHelp(
            "Say where the time of the iterations went, stage by stage, and write timings.csv into "
                + "the run folder."))
    var timings = false
}

extension RunPartition: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// The part of the plan to execute, and how much of it at once.
struct ParallelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only part M of N of the plan, into part-M-of-N below --out; needs --seed. The verdict "
                + "comes from 'rig judge' for all parts.", valueName: "slice:m/n"))
    var partition: RunPartition?

    @Option(
        help: ArgumentHelp(
            "Iterations at once, each with an origin, a folder and a volume of its own. Plan, checks "
                + "and the order of rows and events stay the same, and a rig that is killed or "
                + "interrupted loses at most \(WorkerPool.leadPerJob) iterations per job. With "
                + "several, times such as recovery_seconds are longer, and timed kills come earlier in the "
                + "work, because their unit is measured with one worker: compare only runs with as "
                + "many jobs. Not with --port; replay repeats kills one by one. Default: one per "
                + "core for a download by a program of your own, unless jobs would share a file or "
                + "power is cut; else 1. With --check: 1; programs that share a port or a path "
                + "outside {dir} disturb each other.",
            valueName: "n"))
    var jobs: Int?
}

/// The sources of settings that are not on the command line.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Named settings from rig.yml, which options on the command line override.",
            valueName: "name"), completion: .settingsProfile)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The file with the profiles; rig.yml in this folder by default, where there is one.",
            valueName: "file"), completion: .yaml)
    var config: String?

    @Flag(help: "Do not read rig.yml.") var noConfig = false
}
