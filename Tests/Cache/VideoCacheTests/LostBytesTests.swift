import Foundation
import Glibc
import Testing
@testable import VideoCache

/// A power cut may keep rows of the WAL although their bytes never reached the disk.
///
/// With durability `process` nothing is synced at a commit, so after a power cut the index could
/// claim lost ranges. Only readers checked the checksums: a relaunched `downloader fetch` trusted
/// the index and called the video complete, and the `export` after it found the damage and failed.
@Suite("Chunks that a power cut left without their bytes are gone after the launch (B5, C5)")
struct LostBytesTests {
    private static let chunk: Int64 = 10_000
    private static let chunks: Int64 = 4

    private let folder = TemporaryFolder()
    private let bytes = videoBytes(Int(chunk * chunks))
    private let url = "http://127.0.0.1/v"

    private func open(
        _ name: String, _ durability: Durability = .process, on system: FileSystem = .ofThisMachine
    ) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(
            folder: folder.file(name), durability: durability, layout: .file, system: system)
    }

    private func save(_ numbers: Range<Int64>, in store: SQLiteChunkStore) throws {
        let video = try store.video(url: url) ?? store.anyVideo(url, length: Int64(bytes.count))
        for number in numbers {
            let range = Int(number * Self.chunk)..<Int((number + 1) * Self.chunk)
            try store.save(Array(bytes[range]), at: number * Self.chunk, of: video)
        }
    }

    /// Copies what a kill at this moment leaves, while the process itself continues.
    private func killed(_ name: String, as copy: String) throws {
        try FileManager.default.copyItem(atPath: folder.file(name), toPath: folder.file(copy))
        try? FileManager.default.removeItem(atPath: folder.file(copy + "/cache.sqlite-shm"))
    }

    /// Destroys a chunk's bytes: all, those of one sector, or everything in the file from there on.
    private func lose(_ number: Int64, of name: String, how: String = "all") throws {
        let store = try SQLiteChunkStore(folder: folder.file(name), access: .readOnly)
        let video = try #require(try store.video(url: url))
        let path = folder.file("\(name)/data/\(video.id)")
        let start = number * Self.chunk
        let zeros = [UInt8](repeating: 0, count: Int(Self.chunk))
        switch how {
        case "end": try OpenFile(path, O_WRONLY).truncate(to: start)
        case "sector": try OpenFile.write(Array(zeros[..<512]), at: start + 512, to: path)
        default: try OpenFile.write(zeros, at: start, to: path)
        }
    }

    private func claimed(_ store: SQLiteChunkStore) throws -> [ByteRange] {
        try store.ranges(of: #require(try store.video(url: url))).ranges
    }

    private func chunkRange(_ numbers: Range<Int64>) -> ByteRange {
        ByteRange(from: numbers.lowerBound * Self.chunk, to: numbers.upperBound * Self.chunk)
    }

    /// Everything claimed is served correctly, and the index agrees with the files.
    private func expectWhole(_ store: SQLiteChunkStore, _ name: String) throws {
        let cache = VideoCache(store: store)
        for range in try claimed(store) {
            let bytes = Array(bytes[Int(range.offset)..<Int(range.end)])
            #expect(try cache.served(range).bytes == bytes)
        }
        #expect(try CacheAudit(folder: folder.file(name)).complaints == [])
    }

    @Test(
        "the ranges of lost bytes are not claimed, all others are",
        arguments: [Durability.process, .power], ["all", "sector", "end"])
    func lost(relaunch: Durability, how: String) throws {
        let store = try open("cache")
        try save(0..<Self.chunks, in: store)
        try killed("cache", as: "cut")
        if how != "end" { try lose(1, of: "cut", how: how) }
        try lose(3, of: "cut", how: how)
        let relaunched = try open("cut", relaunch)
        let expected = how == "end" ? [chunkRange(0..<3)] : [chunkRange(0..<1), chunkRange(2..<3)]
        #expect(try claimed(relaunched) == expected)
        try expectWhole(relaunched, "cut")
        try save(0..<Self.chunks, in: relaunched)
        #expect(try claimed(relaunched) == [chunkRange(0..<Self.chunks)])
        try expectWhole(relaunched, "cut")
    }

    @Test("a kill without a cut loses nothing", arguments: [Durability.process, .power])
    func nothingLost(durability: Durability) throws {
        let store = try open("cache", durability)
        try save(0..<Self.chunks, in: store)
        try killed("cache", as: "killed")
        let relaunched = try open("killed")
        #expect(try claimed(relaunched) == [chunkRange(0..<Self.chunks)])
        try expectWhole(relaunched, "killed")
    }

    /// Synced bytes can only be lost by a damaged disk, which readers detect (C5).
    ///
    /// A copy is treated like a cache after a power cut, because the history of its bytes is
    /// unknown. If the very same files are opened again, only a power cut can have lost bytes, and
    /// no synced ones.
    @Test(
        "where all bytes were synced, or cannot have been lost, no launch reads them",
        arguments: [
            "killed", "closed", "closed, then opened", "killed with power", "verified by power",
            "verified, then changed", "verified by power, opened in an earlier start",
        ])
    func costsNothing(before: String) throws {
        let store = try open("cache", before == "killed with power" ? .power : .process)
        try save(0..<Self.chunks, in: store)
        var name = "cache"
        var later = "later"
        switch before {
        case "killed with power", "killed": later = name
        case "verified, then changed":
            try killed("cache", as: later)
            let verified = try open(later)
            try verified.save([1], at: 0, of: verified.anyVideo("other"))
        case "verified by power", "verified by power, opened in an earlier start":
            try killed("cache", as: "verified")
            name = "verified"
            later = name
            // Opened, and killed before anything is written.
            _ = try open(name, .power)
        default:
            try store.close()
            later = name
        }
        if before == "closed, then opened" { _ = try open(name) }
        if before.hasSuffix("earlier start") {
            _ = try open(name, on: .later(boot: "an earlier start"))
        }
        try lose(2, of: later)
        let boot = before.contains("power") ? "a start of the machine" : nil
        let relaunched = try open(later, on: .later(boot: boot))
        #expect(try claimed(relaunched) == [chunkRange(0..<Self.chunks)])
        _ = try VideoCache(store: relaunched).served(chunkRange(0..<Self.chunks))
        #expect(throws: CacheError.self) {
            try VideoCache(store: relaunched).export(url, to: folder.file("out.mp4"))
        }
        #expect(try claimed(relaunched) == [chunkRange(0..<2), chunkRange(3..<4)])
    }

    /// A process was killed after it noted that not everything is synced, before that note was on
    /// disk.
    ///
    /// The next process read the note, and changed rows and bytes while the disk still said
    /// `synced`.
    @Test("who finds that a sync was about to be over, begins with it again")
    func endingSync() throws {
        let store = try open("cache", .power)
        try save(0..<Self.chunks, in: store)
        try store.close()
        let killed = try IntentLog.of(folder.file("cache"))
        try killed.write(Intents(), trust: .synced, isEnding: true)
        #expect(try killed.read().trust == .synced)
        try lose(2, of: "cache")
        // Since this start of the machine nothing has been changed.
        #expect(try claimed(open("cache")) == [chunkRange(0..<Self.chunks)])
        let later = try open("cache", on: .later(boot: "a start of the machine"))
        #expect(try claimed(later) == [chunkRange(0..<2), chunkRange(3..<4)])
    }

    /// A file system lost its unsynced writes and was mounted again in the same boot: it was
    /// unplugged, or shut down after an error.
    ///
    /// The cache had been synced, and then changed with durability `process`. The note that the
    /// synced state ends was the last one on disk. It was believed to be true in the same boot, so
    /// a fetch called a video complete of which 40 MB were gone, and the export dropped them.
    @Test("a sync that was about to end does not count on another mount, even in the same boot")
    func endingSyncOnAnotherMount() throws {
        let store = try open("cache", .power)
        try save(0..<Self.chunks, in: store)
        try store.close()
        try IntentLog.of(folder.file("cache")).write(Intents(), trust: .synced, isEnding: true)
        try lose(2, of: "cache")
        let mountedAgain = try open("cache", on: .later(mount: "another mount"))
        #expect(try claimed(mountedAgain) == [chunkRange(0..<2), chunkRange(3..<4)])
    }

    /// Closing does not sync, so a copy, which is another file, is checked.
    ///
    /// A note that everything was synced applies only to its own files. It used to be believed in a
    /// copy too, although a power cut could take the copy's bytes.
    @Test(
        "what was closed and copied is looked at, and what was synced, too",
        arguments: [(.process, true), (.process, false), (.power, true)] as [(Durability, Bool)])
    func copied(durability: Durability, isClosed: Bool) throws {
        let store = try open("cache", durability)
        try save(0..<Self.chunks, in: store)
        if isClosed { try store.close() }
        try killed("cache", as: "copy")
        try lose(2, of: "copy")
        #expect(try claimed(open("copy")) == [chunkRange(0..<2), chunkRange(3..<4)])
        guard durability == .process else { return }
        // The check also syncs: bytes lost after that mean a damaged disk.
        try lose(1, of: "copy")
        #expect(try claimed(open("copy")) == [chunkRange(0..<2), chunkRange(3..<4)])
    }

    /// Linux before 6.8 and macOS do not tell mounts apart.
    ///
    /// There, a launch after a kill reads all chunks. It also used to wait until all of them were
    /// on disk, in vain: the first save put everything in doubt again, so the next launch after a
    /// kill read them again.
    @Test("where a kill cannot be told from a cut, each launch reads all and waits for no disk")
    func unknownEpoch() throws {
        var unknown = FileSystem.ofThisMachine
        unknown.mounted = { _ in nil }
        let first = try open("cache", on: unknown)
        try save(0..<Self.chunks, in: first)
        try lose(3, of: "cache")
        let second = try open("cache", on: unknown)
        #expect(try claimed(second) == [chunkRange(0..<3)])
        #expect(try !second.isVerified(), "it was synced")
        try lose(2, of: "cache")
        let third = try open("cache", on: unknown)
        #expect(try claimed(third) == [chunkRange(0..<2)])
        // A clean close syncs everything, so it is not read again.
        try third.close()
        try lose(1, of: "cache")
        let fourth = try open("cache", on: unknown)
        #expect(try fourth.isVerified())
        #expect(try claimed(fourth) == [chunkRange(0..<2)])
    }

    @Test("the first change after a clean close puts the cache in doubt again")
    func doubtedAgain() throws {
        let first = try open("cache")
        try save(0..<2, in: first)
        try first.close()
        let second = try open("cache", .process)
        try save(2..<Self.chunks, in: second)
        // A syncing process cannot declare safe what a running one wrote without sync.
        let third = try open("cache", .power)
        try save(2..<3, in: second)
        let other = try second.anyVideo("other")
        try second.save([1, 2, 3], at: 0, of: other)
        try third.save([4], at: 3, of: other)
        try killed("cache", as: "cut")
        try lose(3, of: "cut")
        #expect(try claimed(open("cut")) == [chunkRange(0..<3)])
    }

    /// Evicted bytes are freed at once, but the WAL that records it may be lost with the power.
    @Test("a row that comes back without its bytes is found, too")
    func cameBack() throws {
        let first = try open("cache")
        try save(0..<Self.chunks, in: first)
        try first.close()
        // Nothing of the WAL is left: the rows are as the first process left them.
        try killed("cache", as: "cut")
        let second = try open("cache")
        let video = try #require(try second.video(url: url))
        try second.discard(ByteRange(offset: 0, length: 1), of: video)
        for file in ["journal", "\(video.id)"] {
            let path = "/data/" + file
            try FileManager.default.removeItem(atPath: folder.file("cut") + path)
            try FileManager.default.copyItem(
                atPath: folder.file("cache") + path, toPath: folder.file("cut") + path)
        }
        let relaunched = try open("cut")
        #expect(try claimed(relaunched) == [chunkRange(1..<Self.chunks)])
        try expectWhole(relaunched, "cut")
    }
}
