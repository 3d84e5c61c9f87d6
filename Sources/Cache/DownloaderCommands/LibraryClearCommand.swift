internal import ArgumentParser
internal import Foundation
internal import OfflineLibrary
internal import VideoCache

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
