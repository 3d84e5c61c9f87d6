internal import Foundation
internal import VideoCache

/// Removes the chunk with the highest offset and saves it again when it is opened.
///
/// These are two transactions, and a kill between them loses bytes that were safe. Only a kill
/// during recovery shows it. The gap lasts as long as with a slow disk.
struct RewritingStore: ForwardingStore {
    private static let slowDiskSeconds = 0.1

    let base: any ChunkStore

    init(base: any ChunkStore) throws(CacheError) {
        self.base = base
        for video in try base.videos() {
            guard let last = try base.ranges(of: video).ranges.last,
                let chunk = try Self.newest(of: video, in: last, base), let bytes = chunk.bytes
            else { continue }
            try base.discard(chunk.range, of: video)
            Thread.sleep(forTimeInterval: Self.slowDiskSeconds)
            let saved = bytes.withUnsafeBytes { memory -> Result<Int64, CacheError> in
                let chunk = Chunk(offset: chunk.range.offset, bytes: memory)
                return Result { () throws(CacheError) in try base.save([chunk], of: video) }
            }
            _ = try saved.get()
        }
    }

    private static func newest(
        of video: CachedVideo, in range: ByteRange, _ base: any ChunkStore
    ) throws(CacheError) -> StoredChunk? {
        var newest: StoredChunk?
        var position = range.offset
        while position < range.end, let chunk = try base.chunk(of: video, from: position) {
            newest = chunk
            position = chunk.range.end
        }
        return newest
    }
}
