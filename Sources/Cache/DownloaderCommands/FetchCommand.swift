internal import ArgumentParser
internal import VideoCache

struct FetchCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a video into the cache, continuing from what is there.",
        discussion: """
            Examples:
              downloader fetch https://host/film.mp4 --cache cache
              downloader fetch https://host/film.mp4 --cache cache --output film.mp4
            """)

    @OptionGroup var video: AddressOptions

    @OptionGroup var origin: OriginOptions
    @OptionGroup var filling: FillingOptions

    @Option(
        help: ArgumentHelp(
            "Where to write the complete video, as export does; a plain file appears whole or not "
                + "at all, and - is the standard output.",
            valueName: "file"),
        completion: .file())
    var output: OutputFile?

    @OptionGroup var speaking: SpeakingOptions

    func validate() throws {
        let url = try video.required
        guard HTTPRequest.isWeb(url) else {
            throw ValidationError("'\(url)' is no http or https address.")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw ValidationError(
                "'\(url)' has a blank or a control character; write a blank as %20.")
        }
        try output?.check(besideCache: filling.cache)
    }

    func run(in program: DownloaderProgram) throws {
        let parts = program.parts
        let observers = try Watchers.wanted(verbose: speaking.verbose, parts: parts)
        defer { observers.finish() }
        let interruption = try Interruption()
        let url = try video.required
        let summary = try fetchAnew(observer: observers) {
            try fetch(url, with: parts, observer: observers, interruption: interruption)
        }
        if !speaking.quiet { report(summary) }
        if summary.isCancelled { throw ExitCode(interruption.exitCode) }
        if let shortfall = summary.shortfall(of: url) { throw shortfall }
    }

    /// Fetches, and begins the cache anew if it is damaged beyond repair, or of an earlier version.
    private func fetchAnew(
        observer: ObserverGroup, _ fetch: () throws -> DownloadSummary
    ) throws -> DownloadSummary {
        do {
            return try fetch()
        } catch let error as CacheError where error.isOfNoUse {
            guard (try? VideoCache.startOver(inFolder: filling.cache)) != nil else { throw error }
            if case .otherSchema = error {
                StandardError.write(
                    "downloader: the cache is of an earlier version, and is begun anew\n")
            } else {
                observer.mended(nil, lost: [])
            }
            return try fetch()
        }
    }

    private func fetch(
        _ url: String, with parts: DownloaderParts, observer: ObserverGroup,
        interruption: Interruption
    ) throws -> DownloadSummary {
        observer.entered(.recovering)
        let videos = try filling.open(with: parts, observer: observer)
        let progress = speaking.quiet || speaking.verbose ? nil : ProgressLine(cache: videos)
        let download = Download(
            url: url, cache: videos, transport: parts.transport(try origin.transport(), observer),
            schedule: parts.schedule(try filling.policy()),
            observer: progress.map(observer.adding) ?? observer,
            cancellation: interruption.cancellation, retry: RetryPolicy(retries: filling.retries),
            revalidation: filling.revalidate)
        let result = Result {
            let summary = try download.run()
            if summary.isComplete { try videos.confirm(url) }
            if let output, summary.isComplete {
                try export(url, of: videos, to: output, interruption)
            }
            return summary
        }
        progress?.erase()
        return try result.closing { try videos.close(observer: observer) }
    }

    private func export(
        _ url: String, of videos: VideoCache, to output: OutputFile, _ interruption: Interruption
    ) throws {
        do {
            try videos.export(url, to: output.place, cancellation: interruption.cancellation)
        } catch TransportError.cancelled {
            StandardError.write(
                "downloader: \(output.name) is not written; fetch again to write it\n")
            throw ExitCode(interruption.exitCode)
        }
    }

    private func report(_ summary: DownloadSummary) {
        if let reason = summary.unconfirmed {
            StandardError.write(
                "downloader: what is cached may be out of date, as its origin could not be asked: "
                    + "\(reason)\n")
        }
        let whole = summary.length.map { " of \(readable($0))" } ?? ""
        let state =
            summary.isComplete
            ? "complete" : summary.isCancelled ? "interrupted; fetch again to continue" : "partial"
        StandardError.write(
            "fetched \(readable(summary.storedBytes)) in \(summary.commits) commits; "
                + "\(readable(summary.cachedBytes))\(whole) cached, \(state)\n")
    }
}

extension CacheError {
    /// True of a cache that nothing can read any more.
    fileprivate var isOfNoUse: Bool {
        switch self {
        case .notACache: true
        case .otherSchema(_, let found, let supported): found < supported
        default: false
        }
    }
}
