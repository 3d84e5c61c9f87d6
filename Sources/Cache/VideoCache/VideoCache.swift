/// A folder of cached videos: lists and reads them without touching the network (C10).
///
/// All methods may be called from several threads at once. ``Download`` fills the cache.
public final class VideoCache: Sendable {
    let store: any ChunkStore
    let running = RunningFetches()
    let reserve: DiskReserve?
    let clock: CacheClock

    /// Creates a cache over a store; `reserve` says when the disk is too low for it, and `clock`
    /// whether what an origin has said is still fresh.
    package init(store: any ChunkStore, reserve: DiskReserve? = nil, clock: CacheClock = .system) {
        (self.reserve, self.store, self.clock) = (reserve, store, clock)
    }

    /// Opens the cache in a folder.
    ///
    /// - Parameters:
    ///   - folder: the cache's folder; created if it does not exist, unless `access` forbids it.
    ///   - access: whether to write, and whether to create what does not exist.
    ///   - durability: what a commit must survive.
    ///   - layout: where to store the bytes; nil takes the existing one, and files for a new cache.
    ///   - capacity: the most bytes that all videos together may have (C6); nil sets no limit.
    ///   - memory: the most bytes of chunks that are also kept in memory once they were read (C11);
    ///     apart from `capacity`.
    ///   - reserve: the free disk space, in bytes, below which requests that begin are not saved
    ///     (S6): playing goes on, and a fetch fails with ``CacheError/diskLow(path:free:reserve:)``.
    ///   - observer: is told what is evicted, before that is committed.
    ///   - clock: tells whether what an origin has said about a video is still fresh (RFC 9111).
    /// - Throws: ``CacheError``; then nothing that existed is changed.
    public convenience init(
        folder: String, access: CacheAccess = .readWrite, durability: Durability = .process,
        layout: StorageLayout? = nil, capacity: Int64? = nil, memory: Int64 = 0, reserve: Int64 = 0,
        observer: any CacheObserver = SilentObserver(), clock: CacheClock = .system
    ) throws(CacheError) {
        self.init(
            store: try SQLiteChunkStore(
                folder: folder, access: access, durability: durability, layout: layout,
                capacity: capacity, memory: MemoryTier(limit: memory), observer: observer),
            reserve: DiskReserve(folder: folder, bytes: reserve), clock: clock)
    }

    /// All known videos, in the order in which they were added.
    public func videos() throws(CacheError) -> [CachedVideo] { try store.videos() }

    /// The video under an address; nil if the cache does not know it.
    public func video(_ url: String) throws(CacheError) -> CachedVideo? {
        try store.video(url: url)
    }

    /// The cached ranges of a video; none if the cache does not know it.
    public func cachedRanges(of url: String) throws(CacheError) -> ByteRangeSet {
        guard let video = try store.video(url: url) else { return ByteRangeSet() }
        return try store.ranges(of: video)
    }

    /// The parts of a range, or of the whole video, that are not cached (C8).
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - range: where to look; nil means the whole video.
    /// - Returns: the missing parts in order.
    /// - Throws: ``CacheError/lengthUnknown(url:)`` if no range is given and the length is unknown.
    public func missingRanges(
        of url: String, in range: ByteRange? = nil
    ) throws(CacheError) -> [ByteRange] {
        let video = try store.video(url: url)
        let whole = video?.information.length.map { ByteRange(offset: 0, length: $0) }
        guard let range = range ?? whole else {
            if video == nil { throw .unknownVideo(url: url) }
            throw .lengthUnknown(url: url)
        }
        return try cachedRanges(of: url).gaps(in: range)
    }

    /// True when every byte of the range is cached.
    public func isCached(_ range: ByteRange, of url: String) throws(CacheError) -> Bool {
        try cachedRanges(of: url).contains(range)
    }

    /// The number of cached bytes of a video.
    public func cachedBytes(of url: String) throws(CacheError) -> Int64 {
        try cachedRanges(of: url).byteCount
    }

    /// How much of a video is cached, from 0 to 100; nil if its length is unknown.
    public func percentCached(of url: String) throws(CacheError) -> Double? {
        guard let video = try store.video(url: url), let length = video.information.length else {
            return nil
        }
        guard length > 0 else { return 100 }
        return 100 * Double(try store.ranges(of: video).byteCount) / Double(length)
    }

    /// The number of cached chunks of a video.
    public func chunkCount(of url: String) throws(CacheError) -> Int {
        guard let video = try store.video(url: url) else { return 0 }
        return try store.disk.chunkCount(of: video)
    }

    /// The number of cached bytes of all videos.
    public func totalCachedBytes() throws(CacheError) -> Int64 { try store.disk.cachedBytes() }

    /// The bytes that the cache occupies on disk; more than it holds until freed pages are reused.
    public var diskBytes: Int64 { store.disk.diskBytes }

    /// Removes one video; true if there was something to remove.
    @discardableResult
    public func clear(_ url: String) throws(CacheError) -> Bool {
        guard let video = try store.video(url: url) else { return false }
        try store.remove(video)
        return true
    }

    /// Removes all videos.
    public func clearAll() throws(CacheError) { try store.removeAll() }

    /// Writes what is left to write and closes the store; the cache cannot be used afterwards.
    ///
    /// Fetches that still run are cancelled, and what they had received is saved (S3).
    ///
    /// - Parameter observer: is told about the checkpoint and the close.
    /// - Throws: ``CacheError``; acknowledged bytes are safe even then.
    public func close(observer: any CacheObserver = SilentObserver()) throws(CacheError) {
        running.end()
        observer.entered(.checkpointing)
        store.disk.flushPending()
        try store.disk.checkpoint()
        observer.entered(.completing)
        try store.close()
        observer.entered(.idle)
    }
}
