internal import ArgumentParser
internal import RigModel
internal import RigProfiles
internal import RigReport
internal import RigRun

/// `rig workers`: the worker profiles.
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

/// `rig workers list`: lists the built-in profiles.
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

    @Flag(help: "Print the list as JSON.")
    var json = false

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
