internal import Synchronization
internal import VideoCache

/// A store that forwards everything to another one, except where it has its bug.
protocol ForwardingStore: ChunkStore {
    var base: any ChunkStore { get }
}

extension ForwardingStore {
    var disk: SQLiteChunkStore { base.disk }
    func videos() throws(CacheError) -> [CachedVideo] { try base.videos() }
    func video(url: String) throws(CacheError) -> CachedVideo? { try base.video(url: url) }
    func store(_ information: ContentInformation, url: String) throws(CacheError) -> CachedVideo {
        try base.store(information, url: url)
    }
    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        try base.save(chunks, of: video)
    }
    func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) throws(CacheError) -> (video: CachedVideo, stored: Int64) {
        try base.replace(old, with: information, holding: chunks)
    }
    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        try base.ranges(of: video)
    }
    func cachedRange(of video: CachedVideo, from offset: Int64) throws(CacheError) -> ByteRange? {
        try base.cachedRange(of: video, from: offset)
    }
    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        try base.chunk(of: video, from: offset, ahead: &ahead)
    }
    func dropDamaged(in range: ByteRange, of video: CachedVideo) throws(CacheError) -> [ByteRange] {
        try base.dropDamaged(in: range, of: video)
    }
    func remove(_ video: CachedVideo) throws(CacheError) { try base.remove(video) }
    func removeAll() throws(CacheError) { try base.removeAll() }
    func close() throws(CacheError) { try base.close() }
}

extension ChunkStore {
    func save(
        _ bytes: [UInt8], at offset: Int64, of video: CachedVideo
    ) throws(CacheError) -> Int64 {
        let result = bytes.withUnsafeBytes { memory -> Result<Int64, CacheError> in
            let chunk = Chunk(offset: offset, bytes: memory)
            return Result { () throws(CacheError) in try save([chunk], of: video) }
        }
        return try result.get()
    }
}

final class SpoilingStore: ForwardingStore {
    enum Spoiled {
        /// Its offset is one byte too high.
        case place
        /// One of its bytes is flipped after its checksum was computed.
        case byte
    }

    let base: any ChunkStore
    private let spoils: Spoiled
    private let chunksSeen = Mutex(0)

    init(base: any ChunkStore, spoils: Spoiled) { (self.base, self.spoils) = (base, spoils) }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        var spoiled = chunks
        for index in chunks.indices where nextIsThird() {
            switch spoils {
            case .place: spoiled[index].offset += 1
            case .byte:
                let flipped = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: chunks[index].bytes.count, alignment: 1)
                defer { flipped.deallocate() }
                flipped.copyMemory(from: chunks[index].bytes)
                flipped[flipped.count / 2] ^= 0x01
                spoiled[index].bytes = UnsafeRawBufferPointer(flipped)
                return try base.save(spoiled, of: video)
            }
        }
        return try base.save(spoiled, of: video)
    }

    private func nextIsThird() -> Bool {
        chunksSeen.withLock { seen in
            seen += 1
            return seen == 3
        }
    }
}

final class ForgetfulStore: ForwardingStore {
    let base: any ChunkStore
    private let forgotten: Mutex<[Int64: ByteRangeSet]>

    init(base: any ChunkStore) throws {
        self.base = base
        var ranges: [Int64: ByteRangeSet] = [:]
        for video in try base.videos() { ranges[video.id] = try base.ranges(of: video) }
        forgotten = Mutex(ranges)
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let stored = try base.save(chunks, of: video)
        forgotten.withLock { for chunk in chunks { $0[video.id]?.remove(chunk.range) } }
        return stored
    }

    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        let ranges = try base.ranges(of: video).ranges
        return forgotten.withLock { forgotten in
            ByteRangeSet(ranges.flatMap { forgotten[video.id]?.gaps(in: $0) ?? [$0] })
        }
    }

    func cachedRange(of video: CachedVideo, from offset: Int64) throws(CacheError) -> ByteRange? {
        try ranges(of: video).ranges.first { $0.end > offset }
    }
}

struct StrideStore: ForwardingStore {
    private static let stride: Int64 = 64 << 10

    let base: any ChunkStore

    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        var position = offset
        while let found = try base.chunk(of: video, from: position, ahead: &ahead) {
            if found.range.offset % Self.stride == 0 { return found }
            position = found.range.end
        }
        return nil
    }

    /// Discards unconditionally: what its own search does not find counts as missing.
    func dropDamaged(in range: ByteRange, of video: CachedVideo) throws(CacheError) -> [ByteRange] {
        try base.disk.discard(range, of: video)
        return [range]
    }
}

final class FullDiskStore: ForwardingStore {
    let base: any ChunkStore
    private let unsaved = Mutex<[Int64: [StoredChunk]]>([:])

    init(base: any ChunkStore) { self.base = base }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        do {
            return try base.save(chunks, of: video)
        } catch {
            let kept = chunks.map { StoredChunk(copying: $0) }
            unsaved.withLock { $0[video.id, default: []] += kept }
            return chunks.map(\.range).byteCount
        }
    }

    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        ByteRangeSet(try base.ranges(of: video).ranges + inMemory(video).map(\.range))
    }

    func cachedRange(of video: CachedVideo, from offset: Int64) throws(CacheError) -> ByteRange? {
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

struct FailureIgnoringStore: ForwardingStore {
    let base: any ChunkStore

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        (try? base.save(chunks, of: video)) ?? chunks.map(\.range).byteCount
    }
}
