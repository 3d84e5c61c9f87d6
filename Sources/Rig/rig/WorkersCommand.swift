internal import ArgumentParser
internal import RigModel
internal import RigProfiles
internal import RigReport
internal import RigRun

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workers",
        abstract: "List the worker profiles, or check one against the contract.",
        discussion: """
            A worker is any program. The evidence has three levels: what the origin and the kernel \
            show of every program (black box); its state, if the rig can read it (inspect); and \
            its progress, if it reports that in shared memory (witness). Profiles are explained \
            in docs/profiles.md.

            Examples:
              rig workers
              rig workers check curl
            """,
        subcommands: [ListWorkersCommand.self, CheckWorkerCommand.self],
        defaultSubcommand: ListWorkersCommand.self)
}

struct ListWorkersCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the worker profiles: level, bound, and what is missing to run them.",
        discussion: """
            Examples:
              rig workers list
              rig workers list curl ./mine.yml --json
            """)

    @Argument(
        help: "Names or files of profiles; all that the rig was built with by default.",
        completion: .worker)
    var workers: [String] = []

    @Flag(help: "Print the list as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let programs = try Programs.find()
        var listings: [WorkerListing] = []
        for name in workers.isEmpty ? Workers.names : workers {
            let worker = try Workers.named(name)
            listings.append(WorkerListing(worker, missing: programs.missing(of: worker)))
        }
        console.result(json ? WorkersJSON.text(listings) : WorkersTable.text(listings))
        return .success
    }
}

struct CheckWorkerCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a program follows the rules for workers, killed and not killed.",
        discussion: """
            Exit codes: 0 every point passes, 99 one fails, 98 one could not be shown, 69 a \
            program is not installed, 64 the profile cannot be used. rig kill-test with the same \
            --worker and --seed repeats the kills and keeps what they rest on.

            Examples:
              rig workers check curl
              rig workers check -- python3 get.py {url} {dir} {output}
            """)

    /// Slow enough for kills to land in the middle of the work, and fast enough to wait for.
    private static let pace = "40MB/s"

    @Argument(
        help: "The name of a profile, or its file, by a path with a / or an end in .yml.",
        completion: .worker)
    var worker: String?

    @Option(help: "How many kills.") var iterations = 10
    @Option(help: "The number that all kills follow from; random by default.") var seed: UInt64?

    @Option(help: ArgumentHelp("The size of the video; 10MB by default.", valueName: "size"))
    var videoSize: ByteSize = ByteSize(bytes: 10 << 20)

    @Option(help: ArgumentHelp("The origin's speed; \(Self.pace) by default.", valueName: "rate"))
    var bandwidth: String?

    @Flag(help: "Serve over https.") var tls = false

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Fill a placeholder of the worker's own; may be repeated.", valueName: "key=value"))
    var settings: [String] = []

    @Flag(help: "Print the points as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "Behind --: any program, with its arguments, instead of a profile. {url}, {dir}, "
                + "{output}, {threshold} are replaced; there is no shell.", valueName: "command"))
    var command: [String] = []

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        let report = try await ContractTrial(try trialSettings(), console: console).run()
        console.result(json ? ContractJSON.text(report) : ContractTable.text(report))
        return report.status
    }

    func trialSettings() throws -> RunSettings {
        try RigError.require(
            (worker == nil) != command.isEmpty,
            worker == nil
                ? "there is no worker: name a profile, or give a program with its arguments "
                    + "behind --"
                : "\(worker ?? "") and a command behind -- are two workers; give one of them")
        let isFromOrigin = try worker.map { try Workers.named($0).source == nil } ?? true
        // The rig can neither limit nor hold back what the worker fetches elsewhere.
        let pace = bandwidth ?? (isFromOrigin ? Self.pace : nil)
        var words = ["--video-size", "\(videoSize.bytes)", "--iterations", "\(iterations)"]
        if let worker { words += ["--worker", worker] }
        if let seed { words += ["--seed", "\(seed)"] }
        for setting in settings { words += ["--set", setting] }
        if tls { words.append("--tls") }
        if let pace { words += ["--bandwidth", pace] }
        if !isFromOrigin { words += ["--trigger", "time"] }
        if !command.isEmpty { words += ["--"] + command }
        do {
            return try KillTestCommand.parse(words).settings()
        } catch let error as RigError {
            throw error
        } catch {
            throw RigError(.usage, KillTestCommand.message(for: error))
        }
    }
}
