public import ArgumentParser
internal import VideoCache

// Conformances of the library's types are public, and so is the import that they need.
extension Durability: ExpressibleByArgument {}

extension StorageLayout: ExpressibleByArgument {}

extension Revalidation: ExpressibleByArgument {}

struct FillingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The cache's folder; created when absent.", valueName: "dir"),
        completion: .directory)
    var cache: String

    @Option(
        help: ArgumentHelp(
            "The most bytes that a kill may lose per request: a size such as 256KB, conservative "
                + "(256KB), default (512KB), aggressive (1MB), or disabled.",
            valueName: "size"))
    var threshold: ThresholdArgument = .bytes(512 << 10)

    @Flag(help: "Accept thresholds below 256KB, for experiments.")
    var allowSmallThreshold = false

    @Option(
        help: ArgumentHelp(
            "Where the bytes are kept: in a file per video, or in the database's rows.",
            discussion: """
                Chosen when the cache is created, file unless told otherwise; afterwards the \
                cache's own layout is used, and asking for the other one is an error.
                """))
    var storage: StorageLayout?

    @Option(help: "What a commit must survive: a killed process, or a power cut.")
    var durability: Durability = .process

    @Option(
        help: ArgumentHelp(
            "The free disk space below which a request that begins is not saved: playing goes on, "
                + "and a fetch fails.",
            valueName: "size"))
    var reserve = SizeArgument(bytes: 0)

    @Option(
        help: ArgumentHelp(
            "How often a failure that may be temporary is tried again; new bytes reset the count.",
            valueName: "n"))
    var retries = 3

    @Option(
        help: ArgumentHelp(
            "When to ask the origin whether a cached video is still the same.",
            discussion: """
                stale: when the time is over for which the origin has said that it stays the same; \
                always: each time. Where the origin says nothing, a video stays as it is until \
                then.
                """))
    var revalidate: Revalidation = .stale

    func validate() throws {
        guard retries >= 0 else { throw ValidationError("--retries must not be negative.") }
        _ = try policy()
    }

    func policy() throws -> SavePolicy { try threshold.policy(allowingSmall: allowSmallThreshold) }

    /// Opens the cache, and creates what does not exist; a capacity of nil is no limit.
    func open(
        capacity: Int64? = nil, memory: Int64 = 0, with parts: DownloaderParts,
        observer: any CacheObserver
    ) throws -> VideoCache {
        let database = try SQLiteChunkStore(
            folder: cache, durability: parts.durability(durability), layout: storage,
            capacity: capacity.flatMap(parts.capacity), memory: MemoryTier(limit: memory),
            observer: observer)
        let videos = VideoCache(
            store: try parts.store(
                OpenedStore(database, at: database.path, capacity: capacity, observer: observer)),
            reserve: DiskReserve(folder: cache, bytes: reserve.bytes))
        LogObserver.follow(videos, among: observer)
        return videos
    }
}

struct SpeakingOptions: ParsableArguments {
    @Flag(help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Log the life of each request to standard error.")
    var verbose = false
}
