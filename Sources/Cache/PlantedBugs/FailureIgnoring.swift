internal import Synchronization
internal import VideoCache

/// A store that says it has saved what it could not save.
struct FailureIgnoringStore: ForwardingStore {
    let base: any ChunkStore

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        do {
            return try base.save(chunks, of: video)
        } catch {
            return chunks.reduce(0) { $0 + $1.range.length }
        }
    }
}

/// A store that keeps in memory what no longer fits on the disk, and calls it stored.
final class FullDiskStore: ForwardingStore {
    let base: any ChunkStore
    private let unsaved = Mutex<[Int64: [StoredChunk]]>([:])

    init(base: any ChunkStore) {
        self.base = base
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        do {
            return try base.save(chunks, of: video)
        } catch {
            let kept = chunks.map { StoredChunk(range: $0.range, bytes: [UInt8]($0.bytes)) }
            unsaved.withLock { $0[video.id, default: []] += kept }
            return chunks.reduce(0) { $0 + $1.range.length }
        }
    }

    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        ByteRangeSet(try base.ranges(of: video).ranges + inMemory(video).map(\.range))
    }

    func cachedRange(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> ByteRange? {
        try ranges(of: video).ranges.first { $0.end > offset }
    }

    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        let here = inMemory(video).first { $0.range.offset <= offset && offset < $0.range.end }
        if let here { return here }
        return try base.chunk(of: video, from: offset, ahead: &ahead)
    }

    private func inMemory(_ video: CachedVideo) -> [StoredChunk] {
        unsaved.withLock { $0[video.id] ?? [] }
    }
}
