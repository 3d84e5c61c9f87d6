/// A video that the cache knows.
public struct CachedVideo: Sendable, Hashable {
    /// The video's number in the store.
    public let id: Int64
    /// The address it was asked for under.
    public let url: String
    /// What the origin says about it.
    public let information: ContentInformation

    /// A video as given.
    public init(id: Int64, url: String, information: ContentInformation) {
        self.id = id
        self.url = url
        self.information = information
    }
}

/// Bytes about to be stored; valid only as long as the memory they lie in.
public struct Chunk {
    /// The position of the first byte in the video.
    public var offset: Int64
    /// The bytes.
    public var bytes: UnsafeRawBufferPointer
    /// The XXH3-64 checksum of the bytes.
    public var checksum: UInt64

    /// A chunk with the checksum of its bytes.
    public init(offset: Int64, bytes: UnsafeRawBufferPointer) {
        self.init(offset: offset, bytes: bytes, checksum: Checksum.xxh3(bytes))
    }

    /// A chunk with a checksum taken before.
    public init(offset: Int64, bytes: UnsafeRawBufferPointer, checksum: UInt64) {
        self.offset = offset
        self.bytes = bytes
        self.checksum = checksum
    }

    /// Where the bytes lie in the video.
    public var range: ByteRange { ByteRange(offset: offset, length: Int64(bytes.count)) }
}

/// A chunk as it was stored.
public struct StoredChunk: Sendable {
    /// Where the store says that the bytes lie in the video.
    public var range: ByteRange
    /// The bytes; nil when they fail their checksum or their length, and must not be served (C5).
    public var bytes: [UInt8]?

    /// A chunk as given.
    public init(range: ByteRange, bytes: [UInt8]?) {
        self.range = range
        self.bytes = bytes
    }
}

/// Where chunks are kept: the one interface between the cache and its storage.
public protocol ChunkStore: Sendable {
    /// All videos, in the order they came.
    func videos() throws(CacheError) -> [CachedVideo]
    /// The video under an address; nil when none is known.
    func video(url: String) throws(CacheError) -> CachedVideo?
    /// Stores what the origin says about a video, in one committed transaction (C3).
    func store(_ information: ContentInformation, url: String) throws(CacheError) -> CachedVideo
    /// Stores chunks in one transaction, which has been committed when the call returns (B5).
    ///
    /// A store with a capacity evicts in the same transaction what is used least recently, so that
    /// the capacity holds at every moment (C6). It never evicts these chunks, nor what is being
    /// read; where nothing else is left the chunks are refused.
    ///
    /// - Parameters:
    ///   - chunks: what to store; parts that are there already are left out (C2).
    ///   - video: the video they belong to.
    /// - Returns: how many bytes were new.
    /// - Throws: ``CacheError``; nothing of the chunks is stored then, and nothing evicted.
    ///   ``CacheError/noRoom(path:capacity:)`` is no failure of the request that brought the bytes:
    ///   whoever saves goes on, and does not count them as safe.
    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64
    /// Puts another version in a video's place, with its first chunks, in one transaction.
    ///
    /// - Parameters:
    ///   - old: the version that goes, with all its chunks.
    ///   - information: what the origin says about the new version.
    ///   - chunks: bytes of the new version.
    /// - Returns: the new version, and how many bytes were stored.
    /// - Throws: ``CacheError``; the old version is as it was then.
    func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) throws(CacheError) -> (video: CachedVideo, stored: Int64)
    /// True when bytes must be evicted before so many new ones can be saved (C6).
    func needsRoom(for bytes: Int64) throws(CacheError) -> Bool
    /// Evicts what is used least recently, so that chunks of these ranges can be saved (C6).
    ///
    /// `save` does so by itself; this one lets its caller say meanwhile what it is doing.
    ///
    /// - Parameters:
    ///   - ranges: what is about to be saved, and stays where it is there already.
    ///   - video: the video of the ranges.
    /// - Throws: ``CacheError/noRoom(path:capacity:)`` where too much is being read; nothing is
    ///   evicted then.
    func makeRoom(for ranges: [ByteRange], of video: CachedVideo) throws(CacheError)
    /// Which bytes of a video are there; reads no chunk.
    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet
    /// The cached range that holds the byte at `offset`, or the first one after it; reads no chunk.
    ///
    /// Takes as long in a cache of many chunks as in a small one.
    func cachedRange(of video: CachedVideo, from offset: Int64) throws(CacheError) -> ByteRange?
    /// How many bytes of all videos are there; reads no chunk.
    func cachedBytes() throws(CacheError) -> Int64
    /// How many chunks of a video there are; reads no bytes, but finds rows that are unreadable.
    func chunkCount(of video: CachedVideo) throws(CacheError) -> Int
    /// The chunk that holds the byte at `offset`, or the first one after it (C1).
    func chunk(of video: CachedVideo, from offset: Int64) throws(CacheError) -> StoredChunk?
    /// The same, for one who reads on from there (C1).
    ///
    /// - Parameters:
    ///   - video: the video.
    ///   - offset: the position in the video.
    ///   - ahead: what a look into the index has found of the next chunks, for the next call.
    /// - Returns: the chunk, without bytes where they are damaged; nil when there is none.
    /// - Throws: ``CacheError``.
    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk?
    /// Puts the index of a video in order where it is damaged; reads no chunk (C5).
    ///
    /// - Parameter video: the video.
    /// - Returns: what counted as cached before, and does not any more; nil where all was in order.
    /// - Throws: ``CacheError``.
    func mend(_ video: CachedVideo) throws(CacheError) -> [ByteRange]?
    /// Drops every chunk that holds a byte of the range, with all its bytes, in one transaction.
    func discard(_ range: ByteRange, of video: CachedVideo) throws(CacheError)
    /// Drops what is damaged of a range, in one transaction that looks again at what is there (C5).
    ///
    /// Since the damage was found somebody else may have dropped it, and stored the bytes anew: those
    /// were acknowledged, and stay.
    ///
    /// - Parameters:
    ///   - range: where damaged chunks were found, or none where bytes count as cached. Its chunks
    ///     are read while nobody else can write.
    ///   - video: the video of the range.
    /// - Throws: ``CacheError``; nothing is dropped then.
    func dropDamaged(in range: ByteRange, of video: CachedVideo) throws(CacheError)
    /// Forgets a video with all its chunks.
    func remove(_ video: CachedVideo) throws(CacheError)
    /// Forgets all videos.
    func removeAll() throws(CacheError)
    /// What is being read right now, and must not be evicted (C6).
    var readers: ReaderRegistry { get }
    /// Notes that the bytes of a range were used, so that others are evicted before them (C6).
    ///
    /// Costs no disk access: what a kill takes with it is the order of eviction only.
    func noteUse(of range: ByteRange, in video: CachedVideo)
    /// True when enough was written that `checkpoint` should be called.
    var checkpointIsDue: Bool { get }
    /// Copies the write-ahead log into the database.
    func checkpoint() throws(CacheError)
    /// The bytes that the store takes on disk.
    var diskBytes: Int64 { get }
    /// Writes what can wait until the end, so that a checkpoint before `close` is the last one.
    func leaveInOrder()
    /// Writes what is left to write, and lets the storage go.
    func close() throws(CacheError)
}

extension ChunkStore {
    /// False: a store without a capacity always has room.
    public func needsRoom(for bytes: Int64) throws(CacheError) -> Bool { false }

    /// Does nothing: a store without a capacity always has room.
    public func makeRoom(for ranges: [ByteRange], of video: CachedVideo) throws(CacheError) {}

    /// Does nothing: `close` writes all.
    public func leaveInOrder() {}

    /// Looks each chunk up for itself.
    public func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        try chunk(of: video, from: offset)
    }

    /// The sum over all videos.
    public func cachedBytes() throws(CacheError) -> Int64 {
        var total: Int64 = 0
        for video in try videos() { total += try ranges(of: video).byteCount }
        return total
    }
}
