internal import ArgumentParser
internal import VideoCache

/// `--durability`.
enum DurabilityArgument: String, CaseIterable, ExpressibleByArgument {
    case process
    case power

    var durability: Durability { self == .power ? .power : .process }
}

/// `--storage`.
enum StorageArgument: String, CaseIterable, ExpressibleByArgument {
    case rows
    case file

    var layout: StorageLayout { self == .file ? .file : .rows }
}

/// How a command stores the cache that it fills.
struct StorageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the bytes are kept: in a file per video, or in the database's rows.",
            discussion: """
                Chosen when the cache is created, file unless told otherwise; afterwards the \
                cache's own layout is used, and asking for the other one is an error.
                """))
    var storage: StorageArgument?

    @Option(help: "What a commit must survive: a killed process, or a power cut.")
    var durability: DurabilityArgument = .process

    /// Opens the store in a folder, and creates what does not exist.
    func open(
        _ folder: String, capacity: Int64? = nil, with parts: any DownloaderParts,
        observer: any CacheObserver
    ) throws(CacheError) -> SQLiteChunkStore {
        try SQLiteChunkStore(
            folder: folder, durability: parts.durability(durability.durability),
            layout: storage?.layout, capacity: capacity, observer: observer)
    }
}
