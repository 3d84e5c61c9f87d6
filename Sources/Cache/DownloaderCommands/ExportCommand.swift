internal import ArgumentParser
internal import VideoCache

struct ExportCommand: ProgramCommand {
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
        help: ArgumentHelp(
            "The file, which appears whole or not at all; what is no plain file is written into, and "
                + "- is the standard output.",
            valueName: "file"),
        completion: .file())
    var output: OutputFile

    func validate() throws {
        _ = try video.required
        try output.check(besideCache: cache)
    }

    func run(in program: DownloaderProgram) throws {
        let videos = try VideoCache(folder: cache, access: .existing)
        try videos.export(video.required, to: output.place)
        do {
            try videos.close()
        } catch {
            // The complete file was written, which is what the command is for.
            StandardError.write("downloader: \(output.name) is written, but \(error)\n")
        }
    }
}
