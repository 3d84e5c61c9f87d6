internal import ArgumentParser
internal import VideoCache

/// `downloader clear`: removes one video, or all (C10).
struct ClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Forget one video, or all of them.",
        discussion: """
            Examples:
              downloader clear --cache cache --url https://host/film.mp4
              downloader clear --cache cache
            """)

    @Option(help: ArgumentHelp("The cache's folder.", valueName: "dir"), completion: .directory)
    var cache: String

    @Option(help: "The video's address; without it, all are forgotten.")
    var url: String?

    func run() throws {
        try Failure.reporting {
            let videos = try VideoCache(folder: cache, access: .existing)
            if let url {
                guard try videos.clear(url) else { throw CacheError.unknownVideo(url: url) }
            } else {
                try videos.clearAll()
            }
            try videos.close()
        }
    }
}
