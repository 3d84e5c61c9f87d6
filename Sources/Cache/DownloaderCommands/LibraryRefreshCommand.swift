internal import ArgumentParser
internal import Foundation
internal import OfflineLibrary
internal import VideoCache

/// `--repeat`: how often; the largest number for `forever`.
struct RepeatArgument {
    let count: Int
}

extension RepeatArgument: ExpressibleByArgument {
    init?(argument: String) {
        guard let count = argument == "forever" ? Int.max : Int(argument), count > 0 else {
            return nil
        }
        self.init(count: count)
    }

    var defaultValueDescription: String { "\(count)" }
}

struct LibraryRefreshCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetch the list from its feed, save it, and fetch the images that are missing.",
        discussion: """
            Examples:
              downloader library refresh --feed https://host/list --library films
              downloader library refresh --feed https://host/list --library films --quiet
            """)

    @Option(help: ArgumentHelp("The feed's address, http or https.", valueName: "url"))
    var feed: FeedArgument

    @OptionGroup var place: LibraryOptions
    @OptionGroup var origin: OriginOptions

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "How often: a number, or forever. From the second time on, all images are fetched anew.",
            valueName: "n|forever"))
    var repetition = RepeatArgument(count: 1)

    @Option(help: "What a saved list or image must survive: a killed process, or a power cut.")
    var durability: Durability = .process

    @OptionGroup var speaking: SpeakingOptions

    func run(in program: DownloaderProgram) throws {
        let parts = program.parts
        let observer = try Watchers.wanted(verbose: speaking.verbose, parts: parts)
        defer { observer.finish() }
        let interruption = try Interruption()
        observer.entered(.recovering)
        let survives = parts.durability(durability)
        let database = try SQLiteVideoStore(folder: place.library, durability: survives)
        let files = try FileImageStore(folder: place.library, durability: survives)
        let library = LocalVideoLibrary(store: parts.videoStore(database), now: program.now)
        let refresh = LibraryRefresh(
            from: feed.url, into: library, images: parts.imageStore(files),
            by: try origin.transport(of: feed.url), observer: observer,
            cancellation: interruption.cancellation)
        let result = Result { try repeatedly(refresh, of: database, interruption) }
        observer.entered(.checkpointing)
        try result.closing {
            try database.close()
            observer.entered(.idle)
        }
    }

    private func repeatedly(
        _ refresh: LibraryRefresh, of database: SQLiteVideoStore, _ interruption: Interruption
    ) throws {
        var passes = 0
        do {
            while passes < repetition.count {
                if interruption.cancellation.isCancelled { throw TransportError.cancelled }
                // Between two passes an image of the last list may be one of the next.
                let summary = try refresh.run(
                    passes == 0 ? .missing : .all,
                    removingUnlistedOf: passes + 1 == repetition.count ? database : nil)
                passes += 1
                if let failure = summary.failures.first {
                    throw ImagesMissing(count: summary.failures.count, first: failure.reason)
                }
                if passes == repetition.count { report(summary, passes: passes) }
            }
        } catch TransportError.cancelled {
            if !speaking.quiet {
                StandardError.write("refreshed \(passes) times, interrupted; the last list stays\n")
            }
            throw ExitCode(interruption.exitCode)
        }
    }

    private func report(_ summary: LibraryRefreshSummary, passes: Int) {
        guard !speaking.quiet else { return }
        let times = passes == 1 ? "" : " (\(passes) times)"
        StandardError.write(
            "saved a list of \(summary.videos) videos\(times); \(summary.fetchedImages) images "
                + "fetched, \(summary.keptImages) were there"
                + (summary.removedImages > 0 ? ", \(summary.removedImages) removed\n" : "\n"))
    }
}
