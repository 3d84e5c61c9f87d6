/// A folder of cached videos: what is there, and reading it, without touching the network (C10).
///
/// All its methods may be called from several threads at once. ``Download`` fills it.
public final class VideoCache: Sendable {
    let store: any ChunkStore

    /// A cache over a store.
    public init(store: any ChunkStore) {
        self.store = store
    }

    /// Opens the cache in a folder.
    ///
    /// - Parameters:
    ///   - folder: the cache's folder; created when absent, unless `access` forbids it.
    ///   - access: whether to write, and whether to create what is absent.
    ///   - durability: what a commit must survive.
    ///   - layout: where to keep the bytes; nil takes what is there, and files for a new cache.
    ///   - capacity: the most bytes that all videos together may have (C6); nil sets no limit.
    ///   - observer: is told what is evicted, before that is committed.
    /// - Throws: ``CacheError``; nothing that was there is changed then.
    public convenience init(
        folder: String, access: SQLiteChunkStore.Access = .readWrite,
        durability: Durability = .process, layout: StorageLayout? = nil, capacity: Int64? = nil,
        observer: any CacheObserver = SilentObserver()
    ) throws(CacheError) {
        self.init(
            store: try SQLiteChunkStore(
                folder: folder, access: access, durability: durability, layout: layout,
                capacity: capacity, observer: observer))
    }

    /// All videos that the cache knows, in the order they came.
    public func videos() throws(CacheError) -> [CachedVideo] { try store.videos() }

    /// What the cache knows about a video; nil when it knows none of that address.
    public func video(_ url: String) throws(CacheError) -> CachedVideo? {
        try store.video(url: url)
    }

    /// Which bytes of a video are there; none when the cache does not know it.
    public func cachedRanges(of url: String) throws(CacheError) -> ByteRangeSet {
        guard let video = try store.video(url: url) else { return ByteRangeSet() }
        return try store.ranges(of: video)
    }

    /// Which parts of a range, or of the whole video, are not there (C8).
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - range: where to look; nil means the whole video.
    /// - Returns: the missing parts in order.
    /// - Throws: ``CacheError/lengthUnknown(url:)`` when the whole is asked for, but has no end.
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

    /// True when every byte of the range is there.
    public func isCached(_ range: ByteRange, of url: String) throws(CacheError) -> Bool {
        try cachedRanges(of: url).contains(range)
    }

    /// How many bytes of a video are there.
    public func cachedBytes(of url: String) throws(CacheError) -> Int64 {
        try cachedRanges(of: url).byteCount
    }

    /// How much of a video is there, from 0 to 100; nil when its length is not known.
    public func percentCached(of url: String) throws(CacheError) -> Double? {
        guard let video = try store.video(url: url), let length = video.information.length else {
            return nil
        }
        guard length > 0 else { return 100 }
        return 100 * Double(try store.ranges(of: video).byteCount) / Double(length)
    }

    /// How many chunks of a video are there.
    public func chunkCount(of url: String) throws(CacheError) -> Int {
        guard let video = try store.video(url: url) else { return 0 }
        return try store.chunkCount(of: video)
    }

    /// How many bytes of all videos are there.
    public func totalCachedBytes() throws(CacheError) -> Int64 { try store.cachedBytes() }

    /// The bytes that the cache takes on disk; more than it holds until freed pages are reused.
    public var diskBytes: Int64 { store.diskBytes }

    /// Forgets one video.
    ///
    /// - Returns: true when there was something to forget.
    @discardableResult
    public func clear(_ url: String) throws(CacheError) -> Bool {
        guard let video = try store.video(url: url) else { return false }
        try store.remove(video)
        return true
    }

    /// Forgets all videos.
    public func clearAll() throws(CacheError) { try store.removeAll() }

    /// Writes what is left to write and lets the folder go; the cache is of no use afterwards.
    ///
    /// - Parameter observer: is told about the checkpoint and the close.
    /// - Throws: ``CacheError``; what was acknowledged is safe even then.
    public func close(observer: any CacheObserver = SilentObserver()) throws(CacheError) {
        observer.entered(.checkpointing)
        store.leaveInOrder()
        try store.checkpoint()
        observer.entered(.completing)
        try store.close()
        observer.entered(.idle)
    }
}
