internal import ArgumentParser
internal import RigModel
internal import RigRun

struct AuditCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Try a program in every situation that finds mistakes, in three minutes.",
        discussion: """
            The program is killed all over its work and at its calls to the system, and started \
            again: also when the file has changed meanwhile, when the server has no ranges, when \
            an answer is cut, when two of it run at once, after a power cut. Each situation is a \
            run of its own below the folder of the whole, and can be repeated by itself. Without \
            a program it audits that of rig.yml in this folder; without one there, \
            \(WorkerProfile.referenceName).

            Exit codes: 0 nothing is wrong, 99 it fails in a situation, 98 its kills could not be \
            judged, 69 it cannot be started or does not do its work unharmed, 70 the rig failed.

            Examples:
              rig audit -- curl -q -sS -f -C - -o {output} {url}
              rig audit --minutes 10 --worker wget
            """)

    @Option(help: ArgumentHelp("About how long it may take; 3 by default.", valueName: "number"))
    var minutes = 3.0

    @OptionGroup var trial: TrialOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "After --: any program, with its arguments, instead of --worker. {url}, {dir}, "
                + "{output}, {threshold} are replaced; there is no shell.", valueName: "command"))
    var command: [String] = []

    @OptionGroup(title: "Settings in a file") var configuration: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard minutes.isFinite, minutes > 0, minutes <= 1440 else {
            throw ValidationError("--minutes must be a number above 0, and at most 1440.")
        }
    }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        try await Audit(try trial.settings(for: command), minutes: minutes, console: console).run()
    }
}
