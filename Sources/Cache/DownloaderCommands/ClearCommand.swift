internal import ArgumentParser
internal import VideoCache

struct ClearCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Forget one video, or all of them.",
        discussion: """
            Examples:
              downloader clear https://host/film.mp4 --cache cache
              downloader clear --all --cache cache
            """)

    @Option(help: ArgumentHelp("The cache's folder.", valueName: "dir"), completion: .directory)
    var cache: String

    @OptionGroup var video: AddressOptions

    @Flag(help: "Forget all videos.")
    var all = false

    func validate() throws {
        guard !(all && video.given != nil) else {
            throw ValidationError("Name one video, or give --all; not both.")
        }
        guard all || video.given != nil else {
            throw ValidationError("Name a video by its address, or give --all to forget all.")
        }
    }

    func run(in program: DownloaderProgram) throws {
        do {
            try VideoCache.clear(video.given, inFolder: cache)
        } catch CacheError.diskFull(let path) where !all {
            StandardError.write("downloader: clear --all needs no room\n")
            throw CacheError.diskFull(path: path)
        }
    }
}
