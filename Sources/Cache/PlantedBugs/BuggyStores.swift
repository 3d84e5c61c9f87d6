internal import GRDB
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
    func store(
        _ information: ContentInformation, url: String
    ) throws(CacheError) -> CachedVideo {
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
    func cachedRange(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> ByteRange? {
        try base.cachedRange(of: video, from: offset)
    }
    func chunk(
        of video: CachedVideo, from offset: Int64, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk? {
        try base.chunk(of: video, from: offset, ahead: &ahead)
    }
    func dropDamaged(
        in range: ByteRange, of video: CachedVideo
    ) throws(CacheError) -> [ByteRange] {
        try base.dropDamaged(in: range, of: video)
    }
    func remove(_ video: CachedVideo) throws(CacheError) { try base.remove(video) }
    func removeAll() throws(CacheError) { try base.removeAll() }
    func close() throws(CacheError) { try base.close() }
}

/// Damages the third chunk that is saved through it.
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

    init(base: any ChunkStore, spoils: Spoiled) {
        self.base = base
        self.spoils = spoils
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        var spoiled = chunks
        for index in chunks.indices where nextIsThird() {
            switch spoils {
            case .place: spoiled[index].offset += 1
            case .byte: return try saveFlipped(index, of: chunks, video: video)
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

    private func saveFlipped(
        _ index: Int, of chunks: [Chunk], video: CachedVideo
    ) throws(CacheError) -> Int64 {
        var bytes = [UInt8](chunks[index].bytes)
        bytes[bytes.count / 2] ^= 0x01
        let result = bytes.withUnsafeBytes { memory -> Result<Int64, CacheError> in
            var chunks = chunks
            chunks[index].bytes = memory
            return Result { () throws(CacheError) in try base.save(chunks, of: video) }
        }
        return try result.get()
    }
}

/// Hides what was cached when it was opened, until it is saved again.
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
        ByteRangeSet(try base.ranges(of: video).ranges.flatMap { known($0, of: video) })
    }

    func cachedRange(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> ByteRange? {
        try ranges(of: video).ranges.first { $0.end > offset }
    }

    private func known(_ range: ByteRange, of video: CachedVideo) -> [ByteRange] {
        forgotten.withLock { $0[video.id]?.gaps(in: range) ?? [range] }
    }
}

/// Finds chunks as the documents' first version did: only at multiples of 64 KB.
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
    func dropDamaged(
        in range: ByteRange, of video: CachedVideo
    ) throws(CacheError) -> [ByteRange] {
        try base.disk.discard(range, of: video)
        return [range]
    }
}

/// Makes room by deleting the rows of chunks, but leaves their cached ranges.
final class RowEvictingStore: ForwardingStore {
    private static let evict = """
        DELETE FROM chunk WHERE (video_id, offset) IN (
            SELECT video_id, offset FROM chunk_use ORDER BY used, video_id, offset LIMIT 1)
        """

    let base: any ChunkStore
    private let capacity: Int64
    private let path: String
    private let database: DatabaseQueue

    init(base: any ChunkStore, path: String, capacity: Int64) throws {
        self.base = base
        self.capacity = capacity
        self.path = path
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        database = try DatabaseQueue(path: path, configuration: configuration)
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        let room = capacity - chunks.reduce(0) { $0 + $1.range.length }
        do {
            try database.write { db in
                while try Int64.fetchOne(db, sql: "SELECT bytes FROM chunk_total") ?? 0 > room {
                    try db.execute(sql: Self.evict)
                    guard db.changesCount > 0 else { return }
                }
            }
        } catch {
            throw .inputOutput(path: path, reason: "\(error)")
        }
        return try base.save(chunks, of: video)
    }

    func close() throws(CacheError) {
        do {
            try database.close()
        } catch {
            throw .inputOutput(path: path, reason: "\(error)")
        }
        try base.close()
    }
}
