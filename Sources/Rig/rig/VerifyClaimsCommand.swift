internal import ArgumentParser
internal import RigModel
internal import RigRun

struct VerifyClaimsCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-claims",
        abstract: "Measure whether the reference downloader keeps each of its promises.",
        discussion: """
            Makes all the runs that it takes to judge the promises B1 to B11. Each is a run of its \
            own below the folder of the whole.

            Exit codes: 99 when a promise is broken, 98 when one is undecided or could not be \
            judged in full, otherwise 0.

            Examples:
              rig verify-claims
              rig verify-claims --seed 1 --out claims
            """)

    @Option(
        help: ArgumentHelp(
            "Promises of your own instead of those that rig was built with, as "
                + "Sources/Rig/RigProfiles/bounds.yml has them.", valueName: "file"),
        completion: .yaml)
    var bounds: String?

    @OptionGroup var trial: TrialOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        try await ClaimsTrial(try trial.settings(), bounds: bounds, console: console).run()
    }
}
