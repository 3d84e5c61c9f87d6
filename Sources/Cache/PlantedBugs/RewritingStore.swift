internal import Foundation
internal import VideoCache

/// Removes the chunk with the highest offset and saves it again when it is opened.
///
/// Only a kill between the two shows it, so the gap lasts as long as with a slow disk, and so long
/// that most of a recovery is in it on a busy machine as well.
struct RewritingStore: ForwardingStore {
    private static let slowDiskSeconds = 0.3

    let base: any ChunkStore

    init(base: any ChunkStore) throws(CacheError) {
        self.base = base
        for video in try base.videos() {
            guard let chunk = try base.lastChunk(of: video), let bytes = chunk.bytes else {
                continue
            }
            try base.disk.discard(chunk.range, of: video)
            Thread.sleep(forTimeInterval: Self.slowDiskSeconds)
            _ = try base.save(bytes, at: chunk.range.offset, of: video)
        }
    }
}

/// Removes the chunk with the highest offset when it is closed: what was handed out is right, and
/// what is kept is not.
struct DroppingStore: ForwardingStore {
    let base: any ChunkStore

    func close() throws(CacheError) {
        for video in try base.videos() {
            guard let chunk = try base.lastChunk(of: video) else { continue }
            try base.disk.discard(chunk.range, of: video)
        }
        try base.close()
    }
}

extension ChunkStore {
    fileprivate func lastChunk(of video: CachedVideo) throws(CacheError) -> StoredChunk? {
        guard let range = try ranges(of: video).ranges.last else { return nil }
        var last: StoredChunk?
        var position = range.offset
        while position < range.end, let chunk = try chunk(of: video, from: position) {
            last = chunk
            position = chunk.range.end
        }
        return last
    }
}
