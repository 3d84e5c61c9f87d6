internal import ArgumentParser
package import Foundation
internal import ProgramStart

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
