internal import ArgumentParser
internal import VideoCache

/// `downloader export`: writes a complete video to a file, from verified chunks only (C5).
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a complete video from the cache to a file.",
        discussion: """
            Examples:
              downloader export https://host/film.mp4 --cache cache --output film.mp4
              downloader export --url https://host/film.mp4 --cache cache --output a.mp4
            """)

    @Option(help: ArgumentHelp("The cache's folder.", valueName: "dir"), completion: .directory)
    var cache: String

    @OptionGroup var video: AddressOptions

    @Option(
        help: ArgumentHelp("The file; appears whole or not at all.", valueName: "file"),
        completion: .file())
    var output: String

    func validate() throws {
        _ = try video.required
        try OutputFile.check(output, besideCache: cache)
    }

    func run() throws {
        try Failure.reporting {
            let videos = try VideoCache(folder: cache, access: .existing)
            try videos.export(video.required, to: output)
            do {
                try videos.close()
            } catch {
                // The complete file was written, which is what the command is for.
                StandardError.write("downloader: \(output) is written, but \(error)\n")
            }
        }
    }
}
