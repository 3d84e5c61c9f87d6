internal import ArgumentParser
internal import RigModel
internal import RigRun

/// The size of a run, and what it is drawn from.
struct RunOptions: ParsableArguments {
    @Option(help: "Iterations per policy.")
    var iterations = RunSettings.standardIterations

    @Option(
        help: ArgumentHelp(
            "Commit policies, separated by commas: sizes, 'conservative' (256KB), 'default' (512KB), "
                + "'aggressive' (1MB), 'disabled', or 256KB+1MB for two players.",
            valueName: "list"))
    var thresholds = "512KB"

    @Option(help: "What commits must survive: process or power.")
    var durability: Durability = .process

    @Option(help: "The number that all kills follow from; random by default.")
    var seed: UInt64?

    func validate() throws {
        guard (1...KillPlan.mostIterations).contains(iterations) else {
            throw ValidationError("--iterations must be from 1 to \(KillPlan.mostIterations).")
        }
    }

    /// The policies in the order given.
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
