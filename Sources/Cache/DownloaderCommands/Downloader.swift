internal import ArgumentParser
package import Foundation
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

package struct DownloaderProgram: Sendable {
    /// The environment variable that names the bug of a program that has planted bugs.
    package static let bugVariable = "DOWNLOADER_PLANTED_BUG"

    let parts: DownloaderParts
    let now: @Sendable () -> Date

    package init(parts: DownloaderParts, now: @escaping @Sendable () -> Date) {
        (self.parts, self.now) = (parts, now)
    }

    package func main() {
        do {
            if let word = ProgramArguments.unreadable {
                throw ValidationError(
                    "'\(word)' has bytes that are no UTF-8; name what is meant by a link in UTF-8.")
            }
            var command = try Downloader.parseAsRoot(ProgramArguments.given)
            if let command = command as? any ProgramCommand {
                try Failure.reporting { try command.run(in: self) }
            } else {
                try command.run()
            }
        } catch {
            Downloader.exit(withError: error)
        }
    }

    /// Ends the process with 64, before the command line is read.
    package static func refuse(_ reason: String) -> Never {
        Downloader.exit(withError: ValidationError(reason))
    }
}

/// A command, whose failure its program reports.
protocol ProgramCommand: ParsableCommand {
    func run(in program: DownloaderProgram) throws
}
