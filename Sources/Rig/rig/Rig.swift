internal import ArgumentParser
internal import ProgramStart
internal import RigModel
internal import RigRun

/// The command line: parses, calls the libraries, prints; one file per command.
@main
struct Rig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rig",
        abstract: "How many bytes does your downloader lose when it is killed? Prove it.",
        discussion: """
            Results go to standard output, progress and messages to standard error.

            Exit codes: 0 every gate holds; 64 usage; 65 unreadable data; 69 origin or worker \
            cannot be started; 70 the rig itself failed; 77 no permission (a fault that needs \
            more than this user may do); 97 incomplete; 98 inconclusive; 99 a gate failed; 130 \
            interrupted.

            Examples:
              rig kill-test --iterations 100
              rig init -- python3 get.py {url} {output}
            """,
        version: ProgramVersion.words,
        subcommands: [
            InitCommand.self, AuditCommand.self, KillTestCommand.self, JudgeCommand.self,
            CompareCommand.self, HistoryCommand.self, ReplayCommand.self, ExplainCommand.self,
            ResumeCommand.self, ListCommand.self, OpenCommand.self, ReportCommand.self,
            PlanCommand.self, SelfCheckCommand.self, VerifyClaimsCommand.self, ServeCommand.self,
            WorkersCommand.self, GuardCommand.self, TraceCommand.self, CrashStatesCommand.self,
        ])

    /// Refuses a call without a command: a job whose command got lost would count as passed.
    func run() async throws { throw Self.noCommand(in: "rig") }

    static func noCommand(in program: String) -> ValidationError {
        ValidationError("There is no command; \(program) --help lists them.")
    }

    /// Refuses to run where no worker could be watched; what is only asked for is said even there.
    private static func requireProc(for given: [String]) throws(RigError) {
        guard !ProcFolder.isMounted else { return }
        do {
            var command = try parseAsRoot(given)
            if command is Rig { throw noCommand(in: "rig") }
            // The parser's own command for help, which only prints.
            let isOwn =
                command is any AsyncParsableCommand || command is GuardCommand
                || command is TraceCommand || command is CrashStatesCommand
            if !isOwn { try command.run() }
        } catch {
            exit(withError: error)
        }
        throw RigError(.unavailable, "\(ProcFolder.Missing(program: "rig"))")
    }

    /// Rejects a word that is no command: the argument parser would complain of what follows it.
    private static func checkCommand(_ word: String?) throws(RigError) {
        let commands = configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .compactMap { $0.configuration.commandName }
        let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let word, !word.hasPrefix("-"), !known.contains(word) else { return }
        throw RigError.usage(
            "there is no command '\(word)'; "
                + word.advice(among: commands, otherwise: "rig --help lists them"))
    }

    /// Adds the configured settings to the command line, and runs the command.
    static func main() async {
        InheritedState.settle()
        do {
            let given = ProgramArguments.given
            // Before the first wait: a task that goes on after one would crash.
            try requireProc(for: given)
            try checkCommand(given.first)
            try WorkerOptions.checkTail(of: given)
            let words = try Configuration.completed(given) ?? given
            try WorkerOptions.checkSeparator(in: words)
            await Configuration.$words.withValue(words) { await main(words) }
        } catch let failure {
            Console(isQuiet: false, isVerbose: false, usesColor: false)
                .error((failure as? RigError)?.message ?? "\(failure)")
            exit(withError: ExitCode(((failure as? RigError)?.status ?? .failure).rawValue))
        }
    }
}
