internal import ArgumentParser
internal import VideoCache

/// `downloader fetch`: fetches the bytes of a video that are not cached.
struct FetchCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a video into the cache, continuing from what is there.",
        discussion: """
            Examples:
              downloader fetch https://host/film.mp4 --cache cache
              downloader fetch https://host/film.mp4 --cache cache --threshold 1MB
            """)

    @OptionGroup var video: AddressOptions

    @Option(
        help: ArgumentHelp("The cache's folder; created when absent.", valueName: "dir"),
        completion: .directory)
    var cache: String

    @Option(
        help: ArgumentHelp(
            "The most bytes that a kill may lose: a size such as 256KB, or disabled.",
            valueName: "size"))
    var threshold: ThresholdArgument = .bytes(512 << 10)

    @Flag(help: "Accept thresholds below 256KB, for experiments.")
    var allowSmallThreshold = false

    @OptionGroup var storage: StorageOptions

    @Option(
        help: ArgumentHelp(
            "How the origin is asked.",
            discussion: """
                curl reads nothing while a commit runs; urlsession reads on, and a kill takes what \
                has gathered meanwhile.
                """))
    var transport: TransportArgument = .curl

    @Option(
        help: ArgumentHelp(
            "How many attempts without progress follow a failure that may pass; 0 gives up at once.",
            valueName: "n"))
    var retries = 3

    @Flag(help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Log the life of each request to standard error.")
    var verbose = false

    func validate() throws {
        let url = try video.required
        let address = url.lowercased()
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
            throw ValidationError("'\(url)' is no http or https address.")
        }
        guard retries >= 0 else { throw ValidationError("--retries must not be negative.") }
        _ = try policy()
    }

    func run(in program: DownloaderProgram) throws {
        try Failure.reporting {
            let parts = program.parts
            let observers = ObserverGroup(try Watchers.wanted(verbose: verbose, parts: parts))
            defer { observers.finish() }
            let interruption = Interruption()
            let url = try video.required
            let summary = try fetch(
                url, with: parts, observer: observers, interruption: interruption)
            if !quiet { report(summary) }
            if summary.isCancelled { throw ExitCode(interruption.exitCode) }
            guard summary.isComplete else {
                throw summary.length == nil
                    ? CacheError.lengthUnknown(url: url)
                    : CacheError.incomplete(url: url, missing: summary.missing)
            }
        }
    }

    private func policy() throws -> SavePolicy {
        try threshold.policy(allowingSmall: allowSmallThreshold)
    }

    private func fetch(
        _ url: String, with parts: any DownloaderParts, observer: ObserverGroup,
        interruption: Interruption
    ) throws -> DownloadSummary {
        observer.entered(.recovering)
        let database = try storage.open(cache, with: parts, observer: observer)
        let videos = VideoCache(
            store: try parts.store(
                database, at: database.path, capacity: nil, observer: observer))
        let progress = quiet || verbose ? nil : ProgressLine(cache: videos)
        let download = Download(
            url: url, cache: videos,
            transport: parts.transport(transport.make(), observer: observer),
            schedule: parts.schedule(try policy()),
            observer: progress.map(observer.adding) ?? observer,
            cancellation: interruption.cancellation, retry: RetryPolicy(retries: retries))
        let result = Result { try download.run() }
        progress?.erase()
        // If the download failed, its error says more than the error of the close that follows.
        do {
            try videos.close(observer: observer)
        } catch {
            _ = try result.get()
            throw error
        }
        return try result.get()
    }

    private func report(_ summary: DownloadSummary) {
        let whole = summary.length.map { " of \(readable($0))" } ?? ""
        let state =
            summary.isComplete
            ? "complete" : summary.isCancelled ? "interrupted; fetch again to continue" : "partial"
        StandardError.write(
            "fetched \(readable(summary.storedBytes)) in \(summary.commits) commits; "
                + "\(readable(summary.cachedBytes))\(whole) cached, \(state)\n")
    }
}
