internal import ArgumentParser
internal import Foundation
internal import VideoCache

/// `downloader export`: a complete video as a file, from verified chunks only (C5).
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a complete video from the cache to a file.")

    @Option(help: ArgumentHelp("The cache's folder.", valueName: "dir"))
    var cache: String

    @Option(help: "The video's address.")
    var url: String

    @Option(help: ArgumentHelp("The file; appears whole or not at all.", valueName: "file"))
    var output: String

    func run() throws {
        try Failure.reporting {
            try refuseTheDatabase()
            let videos = try VideoCache(folder: cache, access: .existing)
            try videos.export(url, to: output)
            try videos.close()
        }
    }

    /// Throws when the output is one of the database's own files: a rename would destroy the cache.
    private func refuseTheDatabase() throws {
        let file = URL(fileURLWithPath: output)
        let place = file.deletingLastPathComponent().resolvingSymlinksInPath().path
        let folder = URL(fileURLWithPath: cache).resolvingSymlinksInPath().path
        guard place == folder, file.lastPathComponent.lowercased().hasPrefix("cache.sqlite")
        else { return }
        throw ValidationError(
            "\(output) belongs to the cache's own database; choose another file.")
    }
}
