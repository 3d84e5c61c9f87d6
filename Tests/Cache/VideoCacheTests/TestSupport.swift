import Foundation
import GRDB
import Synchronization

@testable import VideoCache

/// A folder that is removed with the object; where it cannot be made, nothing can be opened in it.
final class TemporaryFolder: Sendable {
    let path: String

    init(in parent: URL = FileManager.default.temporaryDirectory) {
        path = parent.appendingPathComponent("VideoCacheTests-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

/// Runs statements in a database, as another program does.
func execute(_ sql: String, inDatabase path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
}

/// SplitMix64: test data from a seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Bytes in which every position is recognisable.
func videoBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(state: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes[..<count])
}

final class RecordingObserver: CacheObserver, RequestObserver {
    struct Commit: Hashable {
        var range: ByteRange
        var stored: Int64
        var acknowledged: Int64
    }

    private let state = Mutex<(commits: [Commit], phases: [CachePhase])>(([], []))

    var commits: [Commit] { state.withLock { $0.commits } }
    var phases: [CachePhase] { state.withLock { $0.phases } }

    func entered(_ phase: CachePhase) { state.withLock { $0.phases.append(phase) } }
    func requestBegan(url: String, start: Int64) -> any RequestObserver { self }
    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        let commit = Commit(range: range, stored: stored, acknowledged: acknowledged)
        state.withLock { $0.commits.append(commit) }
    }
}

extension SQLiteChunkStore {
    func anyVideo(
        _ url: String = "http://127.0.0.1/v", length: Int64? = nil
    ) throws -> CachedVideo {
        try store(ContentInformation(length: length, acceptsRanges: true), url: url)
    }

    @discardableResult
    func save(_ bytes: [UInt8], at offset: Int64, of video: CachedVideo) throws -> Int64 {
        try bytes.withUnsafeBytes { memory in
            try save([Chunk(offset: offset, bytes: memory)], of: video)
        }
    }

    /// Saves the bytes of a video from its beginning on, in chunks of a length.
    func save(_ bytes: [UInt8], inChunksOf length: Int, of video: CachedVideo) throws {
        for offset in stride(from: 0, to: bytes.count, by: length) {
            let end = min(offset + length, bytes.count)
            try save(Array(bytes[offset..<end]), at: Int64(offset), of: video)
        }
    }

    /// The addresses of the videos that have any byte.
    func held() throws -> [String] {
        try videos().filter { try !ranges(of: $0).isEmpty }.map(\.url)
    }

    /// Puts another version in a video's place, with its first bytes.
    @discardableResult
    func replace(
        _ old: CachedVideo, with facts: ContentInformation, bytes: [UInt8]
    ) throws -> (video: CachedVideo, stored: Int64) {
        try bytes.withUnsafeBytes {
            try replace(old, with: facts, holding: [Chunk(offset: 0, bytes: $0)])
        }
    }
}

extension IncrementalSaver {
    /// Hands bytes over as a transport would.
    func feed(_ bytes: [UInt8], piece: Int = 16 << 10) throws {
        try bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: piece) {
                let end = min(start + piece, all.count)
                try append(UnsafeRawBufferPointer(rebasing: all[start..<end]))
            }
        }
    }
}

extension OpenFile {
    /// Writes bytes to the file at a path, which may be made.
    static func write(_ bytes: [UInt8], at offset: Int64, to path: String) throws {
        let file = try OpenFile(path, O_RDWR | O_CREAT)
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }

    /// Changes a bit of the byte at an offset of the file at a path.
    static func damage(_ path: String, at offset: Int64) throws {
        let byte = try OpenFile(path, O_RDWR).read(ByteRange(offset: offset, length: 1))
        try write((byte ?? []).map { $0 ^ 1 }, at: offset, to: path)
    }
}

extension IntentLog {
    /// The log of a cache's folder, written by a process with durability `process`.
    static func of(_ folder: String, on system: FileSystem = .ofThisMachine) throws -> IntentLog {
        try IntentLog(
            path: folder + "/data/journal", durability: .process, isWritten: true, system: system)
    }
}

extension FileSystem {
    /// This machine after another start, or after another mount.
    static func later(boot: String? = nil, mount: String? = nil) -> FileSystem {
        var system = FileSystem.ofThisMachine
        if let boot { system.boot = { Array(boot.utf8) } }
        if let mount { system.mounted = { _ in Array(mount.utf8) } }
        return system
    }
}

extension VideoCache {
    /// The bytes of a complete video, as an export writes them.
    func exported(_ url: String) throws -> [UInt8] {
        let folder = TemporaryFolder()
        try export(url, to: folder.file("out"))
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file("out"))))
    }

    /// The bytes that `read` serves, as one array.
    func served(
        _ range: ByteRange, of url: String = "http://127.0.0.1/v"
    ) throws -> (bytes: [UInt8], result: ReadResult) {
        var bytes: [UInt8] = []
        let result = try read(range, of: url) { _, part in bytes.append(contentsOf: part) }
        return (bytes, result)
    }

    /// All bytes from the beginning of a video on, up to the first that are not cached.
    func beginning(of url: String) throws -> [UInt8] { try served(.everywhere, of: url).bytes }
}

extension VideoReader {
    func all() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try next() { bytes += more }
        return bytes
    }
}
