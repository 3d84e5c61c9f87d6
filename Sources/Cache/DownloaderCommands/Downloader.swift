internal import ArgumentParser
internal import ProgramStart

struct Downloader: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloader",
        abstract: "Fetches videos into a cache that survives being killed.",
        discussion: """
            Exit codes: 0 done; 64 usage, or a --storage that the cache does not have; 65 the \
            cache's data cannot be used, is incomplete, or expired; 66 no such video or list; 69 the \
            network or the origin failed; 70 no thread can be started, or a fault of the program; \
            73 cannot create; \
            74 cannot read or write, or disk full; 75 in use; 130 and 143 interrupted.

            Several processes may use one cache folder at once, in either storage layout: each \
            save is one transaction, and what one evicts or clears is absent for the others.

            Examples:
              downloader fetch https://host/film.mp4 --cache cache
              downloader proxy --cache cache --port 8000
            """,
        version: ProgramVersion.words,
        subcommands: [
            FetchCommand.self, StatusCommand.self, ExportCommand.self, ClearCommand.self,
            LibraryCommand.self, ProxyCommand.self,
        ])

    func run() throws { throw ValidationError.noCommand(in: "downloader") }
}

extension ValidationError {
    /// A call without a command must not end with 0: a job whose command got lost would be done.
    static func noCommand(in program: String) -> Self {
        Self("There is no command; \(program) --help lists them.")
    }
}
