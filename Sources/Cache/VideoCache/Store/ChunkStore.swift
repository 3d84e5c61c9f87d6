/// A video that the cache knows.
public struct CachedVideo: Sendable, Hashable {
    /// The video's number in the store.
    public let id: Int64
    /// The URL under which it was requested.
    public let url: String
    /// What the origin says about it.
    public let information: ContentInformation

    package init(id: Int64, url: String, information: ContentInformation) {
        (self.id, self.url, self.information) = (id, url, information)
    }
}

/// Bytes to be stored; valid only while the memory that holds them is.
package struct Chunk {
    package var offset: Int64
    package var bytes: UnsafeRawBufferPointer
    /// The XXH3-64 checksum of the bytes.
    package var checksum: UInt64

    package init(offset: Int64, bytes: UnsafeRawBufferPointer) {
        (self.offset, self.bytes) = (offset, bytes)
        checksum = Checksum.xxh3(bytes)
    }

    package var range: ByteRange { ByteRange(offset: offset, length: Int64(bytes.count)) }
}

package struct StoredChunk: Sendable {
    package var range: ByteRange
    /// The bytes; nil if their checksum or length is wrong, and they must not be served (C5).
    package var bytes: [UInt8]?

    package init(range: ByteRange, bytes: [UInt8]?) { (self.range, self.bytes) = (range, bytes) }

    package init(copying chunk: Chunk) {
        self.init(range: chunk.range, bytes: [UInt8](chunk.bytes))
    }
}

/// Stores chunks: the only interface between the cache and its storage.
///
/// What no store between the two changes is asked of ``disk``.
package protocol ChunkStore: Sendable {
    /// The store on the disk, below all others.
    var disk: SQLiteChunkStore { get }
    /// All videos, in the order in which they were added.
    func videos() throws(CacheError) -> [CachedVideo]
    func video(url: String) throws(CacheError) -> CachedVideo?
    /// Stores what the origin says about a video, in one committed transaction (C3).
    func store(_ information: ContentInformation, url: String) throws(CacheError) -> CachedVideo
    /// Stores chunks in one transaction, which has been committed when the call returns (B5).
    ///
    /// A store with a capacity evicts the least recently used chunks in the same transaction, so
    /// the capacity is never exceeded (C6). It evicts neither these chunks nor what is being read.
    /// If nothing else is left, it refuses the chunks.
    ///
    /// Parts that are already stored are left out (C2); it returns how many bytes were new. If it
    /// throws, no chunk is stored and nothing is evicted. ``CacheError/noRoom(path:capacity:)`` does not
    /// fail the request that brought the bytes: the caller continues, and does not count them as saved.
    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64
    /// Replaces a video by another version, with its first chunks, in one transaction; if it throws,
    /// the old version is unchanged.
    func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) throws(CacheError) -> (video: CachedVideo, stored: Int64)
    /// The bytes of a video that are stored; reads no chunk.
    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet
    /// The cached range that holds the byte at `offset`, or the first one after it; reads no chunk.
    func cachedRange(of video: CachedVideo, from offset: Int64) throws(CacheError) -> ByteRange?
    /// The chunk at or after `offset`, or a part with its wanted bytes; nil if there is none (C1).
    ///
    /// Without bytes if they are damaged. `ahead` is updated for the next call.
    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk?
    /// Drops damaged chunks of a range, in one transaction that checks them again (C5).
    ///
    /// Since the damage was found, another writer may have dropped the chunk and stored the bytes
    /// again. Those bytes were acknowledged, and stay. So the range's chunks are read under the write
    /// lock. It also drops what counts as cached without a chunk.
    ///
    /// - Returns: what counted as cached and was dropped; the store's observer is told.
    @discardableResult
    func dropDamaged(in range: ByteRange, of video: CachedVideo) throws(CacheError) -> [ByteRange]
    func remove(_ video: CachedVideo) throws(CacheError)
    func removeAll() throws(CacheError)
    /// Writes what is left to write, and closes the storage.
    func close() throws(CacheError)
}

extension ChunkStore {
    /// The chunk that holds the byte at `offset`, or the first one after it (C1, C5).
    package func chunk(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> StoredChunk? {
        var ahead = ChunksAhead()
        return try chunk(of: video, from: offset, ahead: &ahead)
    }
}
