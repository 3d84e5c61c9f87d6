internal import ArgumentParser
internal import Foundation
internal import Synchronization
internal import VideoCache

/// Bugs on purpose, so that a test rig can be seen to catch them; for tests only.
///
/// They are wrapped around the library from outside: the library itself knows none of them.
enum Sabotage: String, CaseIterable {
    /// Says that bytes are safe before their commit (breaks B5).
    case acknowledgeEarly = "acknowledge-early"
    /// Writes the third chunk one byte too far (breaks C1).
    case shiftedChunk = "shifted-chunk"
    /// Flips a byte of the third chunk after its checksum was taken (breaks B5).
    case flippedByte = "flipped-byte"
    /// Checks the threshold only after the next read (breaks B1).
    case lateThreshold = "late-threshold"
    /// Saves nothing before the request ends (breaks B1).
    case neverCommit = "never-commit"
    /// Fetches from 0 whatever is there (breaks C8).
    case restart = "restart"
    /// Replaces the library's list in two transactions (breaks O4).
    case deleteThenInsert = "delete-then-insert"
    /// Writes the library's images under their final names (breaks O6).
    case imageInPlace = "image-in-place"

    /// The bug that the environment asks for; nil asks for none.
    static func fromEnvironment() throws -> Self? {
        guard let name = ProcessInfo.processInfo.environment["DOWNLOADER_SABOTAGE"] else {
            return nil
        }
        guard let mode = Self(rawValue: name) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("DOWNLOADER_SABOTAGE=\(name) is unknown; use one of \(known).")
        }
        return mode
    }

    func observer(_ observer: any CacheObserver) -> any CacheObserver {
        self == .acknowledgeEarly ? EarlyObserver(base: observer) : observer
    }

    func store(_ store: any ChunkStore) -> any ChunkStore {
        switch self {
        case .shiftedChunk, .flippedByte: SabotagedStore(base: store, mode: self)
        default: store
        }
    }

    func schedule(_ schedule: any SaveSchedule) -> any SaveSchedule {
        switch self {
        case .lateThreshold: LateSchedule(base: schedule)
        case .neverCommit: NeverSchedule(base: schedule)
        default: schedule
        }
    }

    var missing: Download.MissingRule {
        guard self == .restart else { return Download.gaps }
        return { _, video in [video] }
    }
}

/// Lets the unsaved bytes exceed the threshold by a read before it looks.
private struct LateSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity.map { $0 + readSize } }
    func shouldSave(unsaved: Int) -> Bool { base.capacity.map { unsaved > $0 } ?? false }
}

/// Never says that it is time to save.
private struct NeverSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { nil }
    func shouldSave(unsaved: Int) -> Bool { false }
}

/// Reports a commit as returned before it has begun.
private struct EarlyObserver: CacheObserver {
    let base: any CacheObserver

    func entered(_ phase: CachePhase) { base.entered(phase) }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        EarlyRequestObserver(base: base.requestBegan(url: url, start: start), start: start)
    }
}

private struct EarlyRequestObserver: RequestObserver {
    let base: any RequestObserver
    let start: Int64

    func received(_ count: Int) { base.received(count) }

    func willCommit(_ range: ByteRange) {
        base.committed(range, stored: range.length, acknowledged: range.end - start)
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {}

    func saveFailed(_ error: CacheError) { base.saveFailed(error) }

    func ended(_ end: RequestEnd) { base.ended(end) }
}

/// Spoils the third chunk that is saved through it.
private final class SabotagedStore: ChunkStore {
    private let base: any ChunkStore
    private let mode: Sabotage
    private let chunksSeen = Mutex(0)

    init(base: any ChunkStore, mode: Sabotage) {
        self.base = base
        self.mode = mode
    }

    func save(_ chunks: [Chunk], of video: CachedVideo) throws(CacheError) -> Int64 {
        var flipped: [UInt8] = []
        var spoiled = chunks
        for index in chunks.indices where nextIsThird() {
            if mode == .shiftedChunk {
                spoiled[index].offset += 1
            } else {
                flipped = [UInt8](chunks[index].bytes)
                flipped[flipped.count / 2] ^= 0x01
            }
            guard !flipped.isEmpty else { continue }
            return try saveFlipped(flipped, at: index, of: spoiled, video: video)
        }
        return try base.save(spoiled, of: video)
    }

    func replace(
        _ old: CachedVideo, with information: ContentInformation, holding chunks: [Chunk]
    ) throws(CacheError) -> (video: CachedVideo, stored: Int64) {
        try base.replace(old, with: information, holding: chunks)
    }

    private func nextIsThird() -> Bool {
        chunksSeen.withLock { seen in
            seen += 1
            return seen == 3
        }
    }

    private func saveFlipped(
        _ bytes: [UInt8], at index: Int, of chunks: [Chunk], video: CachedVideo
    ) throws(CacheError) -> Int64 {
        let result = bytes.withUnsafeBytes { memory -> Result<Int64, CacheError> in
            var chunks = chunks
            chunks[index].bytes = memory
            return Result { () throws(CacheError) in try base.save(chunks, of: video) }
        }
        return try result.get()
    }

    func videos() throws(CacheError) -> [CachedVideo] { try base.videos() }
    func video(url: String) throws(CacheError) -> CachedVideo? { try base.video(url: url) }
    func store(
        _ information: ContentInformation, url: String
    ) throws(CacheError) -> CachedVideo {
        try base.store(information, url: url)
    }
    func ranges(of video: CachedVideo) throws(CacheError) -> ByteRangeSet {
        try base.ranges(of: video)
    }
    func cachedRange(
        of video: CachedVideo, from offset: Int64
    ) throws(CacheError) -> ByteRange? {
        try base.cachedRange(of: video, from: offset)
    }
    func needsRoom(for bytes: Int64) throws(CacheError) -> Bool {
        try base.needsRoom(for: bytes)
    }
    func makeRoom(for ranges: [ByteRange], of video: CachedVideo) throws(CacheError) {
        try base.makeRoom(for: ranges, of: video)
    }
    func cachedBytes() throws(CacheError) -> Int64 { try base.cachedBytes() }
    func chunkCount(of video: CachedVideo) throws(CacheError) -> Int {
        try base.chunkCount(of: video)
    }
    func chunk(of video: CachedVideo, from offset: Int64) throws(CacheError) -> StoredChunk? {
        try base.chunk(of: video, from: offset)
    }
    func discard(_ range: ByteRange, of video: CachedVideo) throws(CacheError) {
        try base.discard(range, of: video)
    }
    func remove(_ video: CachedVideo) throws(CacheError) { try base.remove(video) }
    func removeAll() throws(CacheError) { try base.removeAll() }
    var readers: ReaderRegistry { base.readers }
    func noteUse(of range: ByteRange, in video: CachedVideo) { base.noteUse(of: range, in: video) }
    var checkpointIsDue: Bool { base.checkpointIsDue }
    func checkpoint() throws(CacheError) { try base.checkpoint() }
    var diskBytes: Int64 { base.diskBytes }
    func close() throws(CacheError) { try base.close() }
}
