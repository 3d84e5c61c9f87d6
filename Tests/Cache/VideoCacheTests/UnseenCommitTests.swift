import Foundation
import GRDB
import Glibc
import Synchronization
import Testing
@testable import VideoCache

/// A commit that was in the WAL when its process was killed, but that no other process had seen.
///
/// SQLite writes a commit's pages to the WAL, and only then announces the commit to other
/// connections. If the process is killed in between, running processes do not see the commit, but
/// the next WAL recovery brings it back. A process that settled meanwhile freed the commit's bytes,
/// noted that no bytes were in doubt, and wrote nothing to the WAL. After the recovery the row had
/// no bytes, and the note declared it safe.
@Suite("What a killed process committed unseen never comes back without its bytes (B5)")
struct UnseenCommitTests {
    private let folder = TemporaryFolder()
    private let live: SQLiteChunkStore
    private let video: CachedVideo
    private let bytes = videoBytes(3000)

    init() throws {
        live = try SQLiteChunkStore(folder: folder.path, layout: .file)
        video = try live.anyVideo()
        try live.save(bytes, at: 0, of: video)
    }

    /// Makes a change as a process does that is killed before it has announced its commit.
    private func unseen(
        _ durability: Durability = .process, _ change: (SQLiteChunkStore) throws -> Void
    ) throws {
        let killed = try SQLiteChunkStore(folder: folder.path, durability: durability)
        // Never closed, because a killed process does nothing more.
        _ = Unmanaged.passRetained(killed)
        let memory = try FileHandle(
            forUpdating: URL(fileURLWithPath: folder.file("cache.sqlite-shm")))
        // The two copies of the header that says how far the WAL goes.
        let header = try #require(try memory.read(upToCount: 96))
        let data = folder.file("data")
        let asKilled = TemporaryFolder()
        try killed.access { db in
            db.afterNextTransaction { _ in
                try? FileManager.default.copyItem(atPath: data, toPath: asKilled.file("data"))
            }
        }
        try change(killed)
        try memory.seek(toOffset: 0)
        try memory.write(contentsOf: header)
        try memory.close()
        // What was freed after the commit, and noted, is as it was before.
        for name in try FileManager.default.contentsOfDirectory(atPath: asKilled.file("data")) {
            let content = try Data(contentsOf: URL(fileURLWithPath: asKilled.file("data/" + name)))
            try OpenFile.write([UInt8](content), at: 0, to: data + "/" + name)
        }
    }

    private func saveUnseen(at offset: Int64, _ durability: Durability = .process) throws {
        try unseen(durability) { try $0.save(bytes, at: offset, of: video) }
    }

    /// The rows that a WAL recovery finds once all processes have been killed.
    private func rowsAfterRecovery() throws -> [Int64] {
        let copy = TemporaryFolder()
        for name in ["cache.sqlite", "cache.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
        }
        let queue = try DatabaseQueue(path: copy.file("cache.sqlite"))
        let offsets = try queue.read {
            try Int64.fetchAll($0, sql: "SELECT offset FROM chunk ORDER BY offset")
        }
        try queue.close()
        return offsets
    }

    private func dataSize() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: folder.file("data/1"))[.size] as? Int ?? -1
    }

    /// What follows an unseen commit, and what is left then.
    enum Next: CaseIterable {
        /// It comes back, with its bytes.
        case nothing
        /// A launch writes over it before it frees the bytes.
        case launch
        /// So does the next save of a process that was there all the time.
        case save
        /// A change that fails frees nothing that may come back.
        case failure
        /// Nor does one that fails after it has written: when the disk became full during a save, the
        /// save's bytes were freed without a commit, and with them the whole gap in which they lay.
        case failureWithBytes
        /// What makes the next commit write over it was a change of a row, and that row was missing:
        /// the launch freed the bytes and wrote nothing.
        case launchWithoutATotal

        var left: (size: Int, rows: [Int64]) {
            switch self {
            case .nothing, .failure: (13_000, [0, 10_000])
            case .launch, .failureWithBytes, .launchWithoutATotal: (3000, [0])
            case .save: (8000, [0, 5000])
            }
        }
    }

    private func fail(_ ranges: [ByteRange]) {
        #expect(throws: CacheError.self) {
            try live.change { change in
                if !ranges.isEmpty { try change.log(ranges, ofVideo: video.id) }
                throw Failure()
            }
        }
    }

    @Test("its bytes are freed only behind another commit", arguments: Next.allCases)
    func followed(by next: Next) throws {
        if next == .launchWithoutATotal {
            try live.access { try $0.execute(sql: "DELETE FROM chunk_total") }
        }
        try saveUnseen(at: 10_000)
        switch next {
        case .nothing: break
        case .launch, .launchWithoutATotal:
            let store = try SQLiteChunkStore(folder: folder.path)
            #expect(try store.ranges(of: video).byteCount == 3000)
        case .save: try live.save(bytes, at: 5000, of: video)
        case .failure: fail([])
        case .failureWithBytes: fail([ByteRange(offset: 5000, length: 3000)])
        }
        #expect(try dataSize() == next.left.size)
        #expect(try rowsAfterRecovery() == next.left.rows)
        #expect(try live.ranges(of: video).byteCount == (next == .save ? 6000 : 3000))
        guard next == .failure else { return }
        try live.save(bytes, at: 5000, of: video)
        #expect(try dataSize() == 8000)
    }

    /// Between a change and the freeing after it another process may commit unseen in the same gap.
    ///
    /// The freeing process used to read the note only afterwards. Then it compared the extents that
    /// the note names with its own, and took another's note of the same extents for its own, and a
    /// torn note for its own that any byte may be in doubt.
    @Test(
        "a freeing that comes late frees nothing of it",
        arguments: ["other bytes", "the same", "everything"])
    func atALateFreeing(of own: String) throws {
        let failure = Mutex<(any Error)?>(nil)
        #expect(throws: CacheError.self) {
            try live.change { change in
                change.db.afterNextTransaction(onCommit: { _ in }) { _ in
                    do {
                        try saveUnseen(at: 10_000)
                        guard own == "everything" else { return }
                        // The next writer was killed when it had written a part of its note.
                        try OpenFile.write([0], at: 0, to: folder.file("data/journal"))
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
                if own == "everything" { change.freeEverything() }
                let offset: Int64 = own == "the same" ? 10_000 : 5000
                try change.log(
                    own == "everything" ? [] : [ByteRange(offset: offset, length: 3000)],
                    ofVideo: video.id)
                throw Failure()
            }
        }
        #expect(failure.withLock { $0 } == nil)
        #expect(try dataSize() == 13_000)
        #expect(try rowsAfterRecovery() == [0, 10_000])
    }

    /// A process was killed in an eviction, unseen.
    ///
    /// To the others the evicted chunk was still there, so its extent counted as resolved, and the
    /// next note did not name it. When the eviction came back, its bytes were no chunk's, and stayed
    /// on disk until the first launch after a reboot.
    @Test(
        "an eviction that comes back leaves no bytes that no note names",
        arguments: ["a launch", "a close", "a change that fails"])
    func eviction(next: String) throws {
        try unseen { try $0.discard(ByteRange(offset: 0, length: 1), of: video) }
        #expect(try rowsAfterRecovery() == [])
        switch next {
        case "a launch": _ = try SQLiteChunkStore(folder: folder.path)
        case "a close": live.flushPending()
        default: fail([ByteRange(offset: 5000, length: 3000)])
        }
        #expect(try rowsAfterRecovery() == [0])
        #expect(try live.ranges(of: video).byteCount == 3000)
        #expect(try dataSize() == 3000)
    }

    /// A process was killed when it had put another version in a video's place, unseen.
    ///
    /// The next process saw none of it, gave the same number to a version of its own, and wrote its
    /// bytes into the same file. It was killed before its commit, and the first version came back
    /// with the bytes of the second. They did not match their checksums and were not served, but
    /// they counted as cached.
    @Test("the number of a version that comes back is no other version's")
    func replaced() throws {
        let copy = TemporaryFolder()
        var system = FileSystem.ofThisMachine
        // The second kill: the bytes are written, and not committed.
        system.willSync = { [folder] path in
            guard path.contains("/data/") else { return 0 }
            for name in ["cache.sqlite", "cache.sqlite-wal", "data"] {
                try? FileManager.default.copyItem(
                    atPath: folder.file(name), toPath: copy.file(name))
            }
            return 0
        }
        let next = try SQLiteChunkStore(
            folder: folder.path, access: .existing, durability: .power, system: system)
        try? FileManager.default.removeItem(atPath: copy.path)
        try FileManager.default.createDirectory(
            atPath: copy.path, withIntermediateDirectories: true)
        func replace(in store: SQLiteChunkStore, tag: String, bytes: [UInt8]) throws {
            let facts = ContentInformation(length: 3000, acceptsRanges: true, etag: tag)
            try store.replace(video, with: facts, bytes: bytes)
        }
        let first = videoBytes(3000, seed: 2)
        try unseen { try replace(in: $0, tag: "\"2\"", bytes: first) }
        try replace(in: next, tag: "\"3\"", bytes: videoBytes(3000, seed: 3))
        let relaunched = try SQLiteChunkStore(folder: copy.path)
        #expect(try relaunched.video(url: video.url)?.information.etag == "\"2\"")
        #expect(try VideoCache(store: relaunched).beginning(of: video.url) == first)
    }

    /// An error at `COMMIT` does not say whether the commit is in the WAL.
    ///
    /// So the bytes are freed only after another commit, as if it were.
    @Test("a commit that fails is written over before its bytes are freed")
    func atAFailedCommit() throws {
        let watcher = try DatabaseQueue(path: folder.file("cache.sqlite"))
        func commits() throws -> Int? {
            try watcher.read { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        }
        let before = try commits()
        let place = ByteRange(offset: 10_000, length: 3000)
        #expect(throws: CacheError.self) {
            try live.change { change in
                change.db.add(transactionObserver: CommitRefusal(), extent: .nextTransaction)
                try change.log([place], ofVideo: video.id)
                try OpenFile.write(bytes, at: place.offset, to: folder.file("data/\(video.id)"))
                try change.db.execute(sql: "UPDATE chunk_total SET bytes = bytes + 1")
            }
        }
        #expect(try commits() != before)
        #expect(try dataSize() == 3000)
        #expect(try rowsAfterRecovery() == [0])
        try watcher.close()
    }

    /// A commit that is not synced may be gone after a power cut, and the one before it back.
    ///
    /// With durability `process` nothing else would sync it, and a note that all is synced would
    /// have a later launch believe the row unread.
    @Test("while all is synced, the commit over it is on disk before its bytes are freed")
    func whileSynced() throws {
        try saveUnseen(at: 10_000, .power)
        let sizes = Mutex<[Int]>([])
        let fails = Mutex(true)
        let data = folder.file("data/1")
        var system = FileSystem.ofThisMachine
        system.willSync = { path in
            guard path.hasSuffix("-wal") else { return 0 }
            let facts = try? FileManager.default.attributesOfItem(atPath: data)
            sizes.withLock { $0.append(facts?[.size] as? Int ?? -1) }
            return fails.withLock { $0 } ? EIO : 0
        }
        func launch() throws -> [Int] {
            _ = try SQLiteChunkStore(folder: folder.path, system: system)
            return sizes.withLock { $0 }
        }
        #expect(try launch() == [13_000])
        #expect(try dataSize() == 13_000, "freed although the sync failed")
        fails.withLock { $0 = false }
        #expect(try launch() == [13_000, 13_000])
        #expect(try dataSize() == 3000)
        #expect(try rowsAfterRecovery() == [0])
    }
}

private struct Failure: Error {}

private final class CommitRefusal: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { throw Failure() }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
}
