internal import ArgumentParser
internal import CurlTransport
internal import Foundation
internal import Logging
internal import VideoCache
internal import Witness

/// `--durability`.
enum DurabilityArgument: String, CaseIterable, ExpressibleByArgument {
    case process
    case power

    var durability: Durability { self == .power ? .power : .process }
}

/// `downloader fetch`: brings what the cache misses of a video.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a video into the cache, continuing from what is there.")

    @Option(help: "The video's address, http or https.")
    var url: String

    @Option(help: ArgumentHelp("The cache's folder; created when absent.", valueName: "dir"))
    var cache: String

    @Option(
        help: ArgumentHelp(
            "The most bytes that a kill may lose: a size such as 256KB, or disabled.",
            valueName: "size"))
    var threshold: ThresholdArgument = .bytes(512 << 10)

    @Flag(help: "Accept thresholds below 256KB, for experiments.")
    var allowSmallThreshold = false

    @Option(help: "What a commit must survive: a killed process, or a power cut.")
    var durability: DurabilityArgument = .process

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
        let address = url.lowercased()
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
            throw ValidationError("'\(url)' is no http or https address.")
        }
        guard retries >= 0 else { throw ValidationError("--retries must not be negative.") }
        _ = try policy()
        _ = try Sabotage.fromEnvironment()
    }

    func run() throws {
        try Failure.reporting {
            let observers = ObserverGroup(try watchers())
            let interruption = Interruption()
            let summary = try fetch(observer: observers, interruption: interruption)
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
        switch threshold {
        case .disabled: return .disabled
        case .bytes(let bytes):
            do {
                return try SavePolicy(threshold: bytes, allowingSmall: allowSmallThreshold)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }

    /// The witness where the environment names one, and the log where it is wanted.
    private func watchers() throws -> [any CacheObserver] {
        var watchers: [any CacheObserver] = []
        if let path = ProcessInfo.processInfo.environment[WitnessWriter.environmentVariable] {
            let witness = WitnessObserver(writer: try WitnessWriter(path: path))
            watchers.append(try Sabotage.fromEnvironment()?.observer(witness) ?? witness)
        }
        if verbose {
            var logger = Logger(label: "downloader") {
                StreamLogHandler.standardError(label: $0)
            }
            logger.logLevel = .debug
            watchers.append(LogObserver(logger: logger))
        }
        return watchers
    }

    private func fetch(
        observer: ObserverGroup, interruption: Interruption
    ) throws -> DownloadSummary {
        observer.entered(.recovering)
        let sabotage = try Sabotage.fromEnvironment()
        let database = try SQLiteChunkStore(folder: cache, durability: durability.durability)
        let videos = VideoCache(store: sabotage?.store(database) ?? database)
        let progress = quiet || verbose ? nil : ProgressLine(cache: videos)
        let policy = try policy()
        let download = Download(
            url: url, cache: videos, transport: CurlTransport(),
            schedule: sabotage?.schedule(policy) ?? policy,
            observer: progress.map(observer.adding) ?? observer,
            cancellation: interruption.cancellation, retry: RetryPolicy(retries: retries),
            missing: sabotage?.missing ?? Download.gaps)
        let result = Result { try download.run() }
        progress?.erase()
        // A failed download's own error says more than that of the close that follows it.
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
