internal import ArgumentParser
internal import Foundation
internal import OfflineLibrary
internal import VideoCache

struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Keep the list of videos and their images, usable with no network.",
        discussion: """
            A saved list is good for 7 calendar days. The folder holds library.sqlite, and one \
            file per image in images.

            Examples:
              downloader library refresh --feed https://host/list --library films
              downloader library list --library films
            """,
        subcommands: [
            LibraryRefreshCommand.self, LibraryListCommand.self, LibraryClearCommand.self,
        ])

    func run() throws { throw ValidationError.noCommand(in: "downloader library") }
}

struct LibraryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The library's folder.", valueName: "dir"), completion: .directory)
    var library: String
}

struct FeedArgument: ExpressibleByArgument {
    let url: String

    init?(argument: String) {
        guard HTTPRequest.isWeb(argument) else { return nil }
        url = argument
    }
}

enum LibraryListError: Error, CustomStringConvertible {
    case absent(folder: String)
    case expired(folder: String, saved: String)

    var description: String {
        switch self {
        case .absent(let folder): "\(folder) holds no list; refresh it"
        case .expired(let folder, let saved):
            "the list in \(folder) is expired, it was saved at \(saved); refresh it"
        }
    }
}

/// Some images could not be fetched in a refresh; the list is saved.
struct ImagesMissing: Error, CustomStringConvertible {
    let count: Int
    let first: String

    var description: String {
        "the list is saved, but \(count) of its images could not be fetched: \(first)"
    }
}

struct LibraryClearCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Forget the list, the images, or both.",
        discussion: """
            Examples:
              downloader library clear --library films
              downloader library clear --library films --images
            """)

    @OptionGroup var place: LibraryOptions

    @Flag(help: "Forget the images; without --list, only them.")
    var images = false

    @Flag(help: "Forget the list; without --images, only it.")
    var list = false

    func run(in program: DownloaderProgram) throws {
        guard FileManager.default.fileExists(atPath: place.library) else {
            throw LibraryError.absent(folder: place.library)
        }
        // First, because on a full disk the images make the room that the list needs.
        if images || !list {
            try FileImageStore(folder: place.library, access: .existing).removeAll()
        }
        if list || !images { try SQLiteVideoStore.clear(inFolder: place.library) }
    }
}
