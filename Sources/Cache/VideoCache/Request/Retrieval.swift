/// What the cache has of the bytes that are wanted (F5).
public struct Retrieval: Sendable, Hashable {
    /// The parts of them that the index says are cached.
    public var claimed: [ByteRange]
    /// The parts of those that lie in chunks that were found.
    public var found: [ByteRange]
    /// The number of the video's chunks that the index says are there.
    public var chunks: Int
    /// How many of those were found, with a sound row and bytes; no byte is compared for it.
    public var chunksFound: Int
    /// What counted as cached until this lookup, and was dropped because it is damaged (C5).
    public var lost: [ByteRange]

    init(
        of video: CachedVideo, in store: any ChunkStore, claimed: [ByteRange],
        lost: [ByteRange] = []
    ) throws(CacheError) {
        let count = try store.disk.countChunks(of: video)
        let held = ByteRangeSet(count.found)
        self.claimed = claimed
        found = claimed.flatMap { held.intersection($0) }
        chunks = count.recorded + lost.count
        chunksFound = count.found.count
        self.lost = lost
    }
}

/// Where what is known about a video comes from (C3).
public enum InformationSource: String, Sendable, Hashable {
    /// Nothing was requested for it.
    case cache
    /// The origin has just said it.
    case network
}

/// What one reader was handed, from its start to its end (F5).
public struct Reading: Sendable, Hashable {
    /// The reader's number, which no other reader of its loader has.
    public var reader: Int
    /// How many bytes came from the store.
    public var cachedBytes: Int64 = 0
    /// How many chunks those came from.
    public var chunks = 0
    /// How many bytes came from running downloads.
    public var networkBytes: Int64 = 0
    /// What was dropped because its bytes were damaged (C5).
    public var damaged: [ByteRange] = []
    /// What counted as cached and was in no chunk.
    public var missing: [ByteRange] = []
    /// How many requests were cancelled when the reader left (F3, F4).
    public var cancelledRequests = 0

    package init(reader: Int) { self.reader = reader }
}
