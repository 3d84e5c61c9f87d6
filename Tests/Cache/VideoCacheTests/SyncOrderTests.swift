import Foundation
import GRDB
import Glibc
import Synchronization
import Testing
@testable import VideoCache

/// What is on disk when something is synced.
///
/// A power cut can come at any moment, so a sync proves nothing by itself: what matters is what has
/// been written before it, and what only after it. Here the store's own syncs are observed, and the
/// folder is looked at before each of them.
@Suite("What reaches the disk, and in which order (B5)")
struct SyncOrderTests {
    /// What another process sees of a cache's folder.
    private struct Look: Equatable {
        var name: String
        var rows: Int
        var dataSize: Int
        var trust: Trust
        /// How far rows can be trusted by a launch after a reboot.
        var trustLater: Trust
    }

    private final class Looks: Sendable {
        let all = Mutex<[Look]>([])
        let paths = Mutex<Set<String>>([])
        let failing = Mutex<(name: String, count: Int)?>(nil)
        /// What the sync of a folder fails with; 0 if it succeeds.
        let folderError = Mutex<Int32>(0)

        func taken() -> [Look] {
            all.withLock { all in
                defer { all = [] }
                return all
            }
        }

        func takenPaths() -> Set<String> {
            paths.withLock { paths in
                defer { paths = [] }
                return paths
            }
        }

        /// Fails the sync of a file from the given time on.
        func fail(_ name: String, from count: Int) { failing.withLock { $0 = (name, count) } }

        func error(_ url: URL) -> Int32 {
            let fails = failing.withLock { failing in
                guard failing?.name == url.lastPathComponent else { return false }
                failing?.count -= 1
                return failing.map { $0.count <= 0 } ?? false
            }
            if fails { return EIO }
            let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
            return isFolder == true ? folderError.withLock { $0 } : 0
        }
    }

    private let folder = TemporaryFolder()
    private let looks = Looks()
    private let bytes = videoBytes(3000)

    private func open(
        _ durability: Durability, at name: String = "cache", in folder: TemporaryFolder? = nil
    ) throws -> SQLiteChunkStore {
        var system = FileSystem.ofThisMachine
        let (looks, path) = (looks, (folder ?? self.folder).file(name))
        system.willSync = { file in
            let url = URL(fileURLWithPath: file).standardized
            looks.paths.withLock { _ = $0.insert(url.path) }
            if let look = try? Self.look(at: path, name: url.lastPathComponent) {
                looks.all.withLock { $0.append(look) }
            }
            return looks.error(url)
        }
        return try SQLiteChunkStore(
            folder: path, durability: durability, layout: .file, system: system)
    }

    private static func look(at folder: String, name: String) throws -> Look {
        let queue = try DatabaseQueue(path: folder + "/cache.sqlite")
        let rows = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM chunk") }
        try queue.close()
        return Look(
            name: name, rows: rows ?? -1, dataSize: size(of: folder + "/data/1"),
            trust: try IntentLog.of(folder).read().trust,
            trustLater: try IntentLog.of(folder, on: .later(boot: "a later boot")).read().trust)
    }

    private static func size(of path: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.size] as? Int ?? 0
    }

    /// A cache whose bytes are all on disk: one chunk of 3000 bytes.
    private func makeSynced() throws {
        let store = try open(.power)
        try store.save(bytes, at: 0, of: store.anyVideo())
        try store.close()
        _ = looks.taken()
    }

    /// Each of these syncs could be left out without any other test noticing it.
    @Test("with power, bytes and the name of their file are synced before their row is committed")
    func bytesBeforeTheRow() throws {
        let store = try open(.power)
        let video = try store.anyVideo()
        _ = looks.taken()
        for (count, expected) in [["1", "data"], ["1"]].enumerated() {
            try store.save(bytes, at: Int64(count) * 3000, of: video)
            let seen = looks.taken()
            #expect(seen.map(\.name) == expected)
            #expect(seen.allSatisfy { $0.rows == count && $0.dataSize == 3000 * (count + 1) })
        }
        // The commit itself syncs the WAL.
        #expect(try store.access { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        // The file goes with its last chunk; the next one of this name is another.
        try store.discard(ByteRange(offset: 0, length: 6000), of: video)
        try store.save(bytes, at: 0, of: video)
        #expect(looks.taken().map(\.name) == ["1", "data"])
    }

    @Test("that all is synced is noted when all has been synced, and that note is synced last")
    func notedWhenSynced() throws {
        let killed = try open(.process)
        try killed.save(bytes, at: 0, of: killed.anyVideo())
        #expect(looks.taken().isEmpty)
        _ = try open(.power)
        let seen = looks.taken()
        #expect(seen.last?.name == "journal" && seen.last?.trustLater == .synced)
        #expect(seen.dropLast().allSatisfy { $0.trust == .thisEpoch && $0.trustLater == .none })
        // Once without the lock, and once more under it.
        for name in ["1", "data", "cache.sqlite-wal"] {
            #expect(seen.filter { $0.name == name }.count == 2)
        }
    }

    @Test("a sync that fails is no sync", arguments: ["1", "data", "cache.sqlite-wal"], [1, 2])
    func failedSync(name: String, count: Int) throws {
        let killed = try open(.process)
        try killed.save(bytes, at: 0, of: killed.anyVideo())
        looks.fail(name, from: count)
        #expect(throws: CacheError.self) { try open(.power) }
        #expect(try IntentLog.of(folder.file("cache")).read().trust == .thisEpoch)
    }

    /// The launch after one whose sync had failed synced again, and noted that all is synced.
    ///
    /// That sync had succeeded. But the system had taken the pages for clean at the failure: a power
    /// cut took them, and the launch after it called them cached without reading any.
    ///
    /// A WAL that has lost a frame ends there after a power cut, whatever was synced behind it, so it is
    /// written anew.
    @Test(
        "after a sync that failed no other one is believed until the machine is started again",
        arguments: ["1", "cache.sqlite-wal"], [1, 2])
    func syncAfterAFailedOne(name: String, count: Int) throws {
        let killed = try open(.process)
        try killed.save(bytes, at: 0, of: killed.anyVideo())
        looks.fail(name, from: count)
        #expect(throws: CacheError.self) { try open(.power) }
        looks.failing.withLock { $0 = nil }
        let store = try open(.power)
        let video = try #require(try store.videos().first)
        #expect(try store.ranges(of: video).byteCount == 3000)
        #expect(Self.size(of: folder.file("cache/cache.sqlite-wal")) == 0)
        try store.save(bytes, at: 3000, of: video)
        try store.close()
        let path = folder.file("cache")
        #expect(try IntentLog.of(path).read().trust == .thisEpoch)
        let later = try IntentLog.of(path, on: .later(boot: "a later boot"))
        #expect(try later.read().trust == .none)
        // What is read from the disk then counts as synced again.
        try later.write(Intents(), trust: .synced)
        #expect(try later.read().trust == .synced)
    }

    /// The save failed, and left in memory alone what a save before it had called written.
    ///
    /// On ext4 with `data=journal` a sync may report that of an earlier one.
    @Test("with power, after a sync that failed the bytes and the WAL are written and synced again")
    func writtenAgain() throws {
        let store = try open(.power)
        let video = try store.anyVideo()
        try store.save(bytes, at: 0, of: video)
        _ = looks.taken()
        looks.fail("1", from: 1)
        #expect(throws: CacheError.self) { try store.save(bytes, at: 100_000, of: video) }
        #expect(looks.taken().map(\.name) == ["1", "1", "cache.sqlite-wal"])
        looks.failing.withLock { $0 = nil }
        #expect(try store.ranges(of: video).byteCount == 3000)
        #expect(Self.size(of: folder.file("cache/data/1")) == 3000)
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.file("cache/data/1")))
        #expect([UInt8](file) == bytes)
    }

    /// Whether the process before was killed when it had noted the end, but not synced the note.
    @Test(
        "that the synced state ends is on disk before anything changes", arguments: [false, true])
    func endBeforeTheFirstChange(afterAKill: Bool) throws {
        try makeSynced()
        if afterAKill {
            try IntentLog.of(folder.file("cache")).write(Intents(), trust: .synced, isEnding: true)
        }
        let store = try open(.process)
        let video = try #require(try store.videos().first)
        try store.save(bytes, at: 3000, of: video)
        let expected = Look(
            name: "journal", rows: 1, dataSize: 3000, trust: .synced, trustLater: .none)
        #expect(looks.taken() == [expected])
        // It has ended for all changes until the next sync.
        try store.save(bytes, at: 6000, of: video)
        #expect(looks.taken() == [])
    }

    @Test("if the end cannot be synced, nothing changes")
    func endThatCannotBeSynced() throws {
        try makeSynced()
        let store = try open(.process)
        let video = try #require(try store.videos().first)
        looks.fail("journal", from: 1)
        #expect(throws: CacheError.self) { try store.save(bytes, at: 5000, of: video) }
        #expect(throws: CacheError.self) { try store.remove(video) }
        let look = try Self.look(at: folder.file("cache"), name: "")
        #expect(look.rows == 1 && look.dataSize == 3000)
    }

    /// A process was killed in a sync, between its note and its commit.
    ///
    /// The note said that all is synced, and named none of the bytes that a process killed before
    /// had left in doubt. Those bytes stayed on disk until the first launch after a reboot.
    @Test("a sync names the bytes that others have left in doubt")
    func syncKeepsTheIntents() throws {
        struct Kill: Error {}
        let store = try open(.process)
        let video = try store.anyVideo()
        try store.save(bytes, at: 0, of: video)
        // The state after a kill between the bytes and the commit: noted, written, not committed.
        let place = ByteRange(offset: 10_000, length: 3000)
        try IntentLog.of(folder.file("cache"))
            .write(Intents(extents: [Extent(video: video.id, range: place)]), trust: .thisEpoch)
        let data = folder.file("cache/data")
        try OpenFile.write(bytes, at: place.offset, to: "\(data)/\(video.id)")
        #expect(throws: CacheError.self) {
            try store.change { change in
                try change.sync(wal: store.logPath)
                throw Kill()
            }
        }
        #expect(Self.size(of: data + "/1") == 13_000)
        _ = try open(.process)
        #expect(Self.size(of: data + "/1") == 3000)
    }

    /// With durability `power` a launch synced the entries of the cache's folder, but not its own
    /// entry in the folder above: a power cut could take the whole cache, with all that had been
    /// acknowledged.
    ///
    /// Later it synced the folders that it had created itself. A launch before it had created them
    /// with durability `process`, or was killed before it had synced them, and the power cut took
    /// the cache again.
    @Test(
        "with power, the folders above the cache are synced, whatever process has created them",
        arguments: ["this launch", "one with process", "one that was killed"])
    func foldersAbove(creator: String) throws {
        let root = folder.path
        switch creator {
        case "one with process": try open(.process, at: "a/b/cache").close()
        case "one that was killed":
            try FileManager.default.createDirectory(
                atPath: root + "/a/b/cache", withIntermediateDirectories: true)
        default: break
        }
        _ = looks.takenPaths()
        try open(.power, at: "a/b/cache").close()
        #expect(looks.takenPaths().isSuperset(of: [root, root + "/a", root + "/a/b"]))
    }

    /// No power cut takes the root of a file system from it, and what it is mounted on is
    /// another file system's, which may not be able to sync folders.
    @Test("with power, no folder of another file system is synced")
    func foldersOfOtherFileSystems() throws {
        // In memory; `/dev` itself is not.
        let root = URL(fileURLWithPath: "/dev/shm")
        let shared = TemporaryFolder(in: root)
        try open(.power, in: shared).close()
        let paths = looks.takenPaths()
        #expect(paths.contains(shared.path) && paths.contains(root.path))
        #expect(!paths.contains("/dev"))
    }

    @Test("a folder of a system that cannot sync it is no error, a file is one")
    func folderOfTheKernel() throws {
        try FileSystem.ofThisMachine.syncFolder("/proc/self")
        #expect(throws: CacheError.self) { try FileSystem.ofThisMachine.sync("/proc/self") }
    }

    /// A launch with durability `power` failed on a file system that cannot sync folders.
    ///
    /// Such a file system reports that; a disk that fails reports another error.
    @Test(
        "with power, a file system that cannot sync folders is used, and a disk that fails is not",
        arguments: [(EINVAL, true), (EROFS, true), (ENOTSUP, true), (EIO, false)])
    func foldersThatCannotBeSynced(code: Int32, isUsed: Bool) throws {
        looks.folderError.withLock { $0 = code }
        guard isUsed else {
            #expect(throws: CacheError.self) { try open(.power) }
            return
        }
        let store = try open(.power)
        try store.save(bytes, at: 0, of: store.anyVideo())
        try store.close()
    }
}
