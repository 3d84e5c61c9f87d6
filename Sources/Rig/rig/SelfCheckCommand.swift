internal import ArgumentParser
internal import RigModel
internal import RigRun

struct SelfCheckCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-check",
        abstract: "Check the rig itself: plant bugs in the worker, and see each one found.",
        discussion: """
            Every planted bug must be caught by the checker that is there for it, and nothing may \
            be reported without one. Each part is a run of its own below the folder of the whole.

            Exit codes: 99 when a bug was missed or something was reported without one, 98 when a \
            bug could not be tried (power cuts need root), 70 when a worker that saves nothing \
            kept something or the rig failed, otherwise 0.

            Examples:
              rig self-check --iterations 20
              rig self-check --bugs late-threshold,restart --set storage=rows
            """)

    @Option(help: ArgumentHelp("Only these planted bugs, separated by commas.", valueName: "list"))
    var bugs: String?

    @Option(help: "Iterations without a bug, spread over the ways of being killed.")
    var iterations = RunSettings.standardIterations

    @OptionGroup var trial: TrialOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...KillPlan.mostIterations).contains(iterations) else {
            throw ValidationError("--iterations must be from 1 to \(KillPlan.mostIterations).")
        }
    }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        let names = bugs?.split(separator: ",", omittingEmptySubsequences: false)
        return try await SelfCheck(
            try trial.settings(), bugs: names?.map(String.init), iterations: iterations,
            console: console
        ).run()
    }
}
