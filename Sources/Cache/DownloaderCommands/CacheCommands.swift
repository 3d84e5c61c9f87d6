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

struct StatusCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is in the cache, without the network.",
        discussion: """
            Examples:
              downloader status --cache cache
              downloader status --cache cache --json
            """)

    @Option(help: ArgumentHelp("The cache's folder.", valueName: "dir"), completion: .directory)
    var cache: String

    @Flag(help: "Write JSON.")
    var json = false

    func run(in program: DownloaderProgram) throws {
        let store = try SQLiteChunkStore(folder: cache, access: .readOnly)
        let status = try CacheStatus(VideoCache(store: store), isVerified: try store.isVerified())
        try store.close()
        try StandardStreams.writeResult(json ? try status.json() : status.text)
    }
}

struct CacheStatus: Codable {
    struct Video: Codable {
        var url: String
        var length: Int64?
        var cachedBytes: Int64
        var percent: Double?
        var isComplete: Bool
        var chunks: Int
        var ranges: [ByteRange]
        var mimeType: String?
        var acceptsRanges: Bool
        var etag: String?
        var lastModified: String?
        var otherETags: [String]
        /// True if parts were joined because kept bytes agreed, not because of a validator.
        var isComparedByBytes: Bool
    }

    var cachedBytes: Int64
    var diskBytes: Int64
    /// False if a power cut may have lost bytes that are still in the index.
    var isVerified: Bool
    var videos: [Video]

    init(_ cache: VideoCache, isVerified: Bool) throws {
        self.isVerified = isVerified
        videos = try cache.videos().map { video in
            let ranges = try cache.cachedRanges(of: video.url)
            let facts = video.information
            return Video(
                url: video.url, length: facts.length, cachedBytes: ranges.byteCount,
                percent: try cache.percentCached(of: video.url),
                isComplete: facts.length.map {
                    ranges.contains(ByteRange(offset: 0, length: $0))
                } ?? false,
                chunks: try cache.chunkCount(of: video.url), ranges: ranges.ranges,
                mimeType: facts.mimeType, acceptsRanges: facts.acceptsRanges, etag: facts.etag,
                lastModified: facts.lastModified, otherETags: facts.otherETags,
                isComparedByBytes: facts.isComparedByBytes)
        }
        cachedBytes = try cache.totalCachedBytes()
        diskBytes = cache.diskBytes
    }

    var text: String {
        let lines = videos.flatMap(Self.lines)
        let total = "\(readable(cachedBytes)) cached, \(readable(diskBytes)) on disk"
        let doubt =
            isVerified
            ? []
            : ["not verified since it was last written: the next fetch looks at every chunk"]
        return (lines + [total] + doubt).joined(separator: "\n")
    }

    /// Complete, or how much is missing, to the byte.
    private static func state(of video: Video) -> String {
        guard let length = video.length else { return "the length is not known" }
        guard !video.isComplete else { return "complete" }
        let missing = ByteRangeSet(video.ranges).gaps(in: ByteRange(offset: 0, length: length))
        let bytes = missing.byteCount
        return "missing \(bytes) bytes, the first at \(missing.first?.offset ?? 0)"
    }

    private static func lines(_ video: Video) -> [String] {
        let whole = video.length.map { " of \(readable($0))" } ?? ""
        // Rounded down, so that only a complete video shows 100.
        let share = video.percent.map { ", \(($0 * 10).rounded(.down) / 10) %" } ?? ""
        let ranges = video.ranges.map(\.description).joined(separator: ", ")
        return [
            video.url.shown(),
            "  cached  \(readable(video.cachedBytes))\(whole)\(share), \(video.chunks) chunks",
            "  state   \(state(of: video))",
            "  ranges  \(ranges.isEmpty ? "none" : ranges)",
            "  type    \((video.mimeType ?? "not known").shown())",
            "  etag    \(([video.etag ?? "none"] + video.otherETags).joined(separator: ", ").shown())",
        ] + (video.isComparedByBytes ? ["  joined  where bytes agreed, not by a validator"] : [])
    }
}
