import Foundation
import GRDB
import Testing

@testable import VideoCache

/// What a close leaves, and in which order.
@Suite struct ClosingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Copies the database without its log when the checkpoint is over.
    private struct Copier: CacheObserver {
        let folder: TemporaryFolder

        func entered(_ phase: CachePhase) {
            guard phase == .completing else { return }
            try? FileManager.default.copyItem(
                atPath: folder.file("cache.sqlite"), toPath: folder.file("copy.sqlite"))
        }

        func requestBegan(url: String, start: Int64) -> any RequestObserver {
            RecordingObserver()
        }
    }

    /// The order of use was written after the checkpoint, so that closing the database had to copy
    /// the log a second time, and to wait for the disk twice more.
    @Test(arguments: StorageLayout.allCases)
    func theCheckpointComesLast(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        for offset in [0, 100] as [Int64] {
            try store.save([1, 2, 3], at: offset, of: video)
        }
        store.noteUse(of: ByteRange(offset: 0, length: 3), in: video)
        try VideoCache(store: store).close(observer: Copier(folder: folder))
        let copy = try DatabaseQueue(path: folder.file("copy.sqlite"))
        let last = try copy.read { db in
            try Int64.fetchOne(db, sql: "SELECT offset FROM chunk_use ORDER BY used DESC")
        }
        #expect(last == 0, "the use of the first chunk is not in the database yet")
    }

    /// A launch of a cache that was closed in order looked at every file with durability `power`.
    ///
    /// A file that nobody speaks of shows whether the files were looked at: where nothing is in
    /// doubt it stays.
    @Test(arguments: Durability.allCases)
    func whatWasClosedIsNotLookedAt(durability: Durability) throws {
        let store = try SQLiteChunkStore(
            folder: folder.path, durability: durability, layout: .file)
        try store.save([1, 2, 3], at: 0, of: store.anyVideo())
        try store.close()
        let stranger = folder.file("data/77")
        #expect(FileManager.default.createFile(atPath: stranger, contents: Data([1])))
        try SQLiteChunkStore(folder: folder.path, durability: durability).close()
        #expect(FileManager.default.fileExists(atPath: stranger))
        // Without a note that can be believed every file is looked at.
        try Data("torn".utf8).write(to: URL(fileURLWithPath: folder.file("data/journal")))
        try SQLiteChunkStore(folder: folder.path, durability: durability).close()
        #expect(!FileManager.default.fileExists(atPath: stranger))
    }

    /// A cache that was closed said "out of memory; check the disk" to whoever went on using it, and
    /// crashed in SQLite when it was told to copy its log.
    @Test(arguments: StorageLayout.allCases)
    func whatIsClosedSaysSo(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        try store.save([1, 2, 3], at: 0, of: video)
        try store.close()
        let closed = CacheError.closed(path: folder.file("cache.sqlite"))
        #expect(throws: closed) { try store.video(url: video.url) }
        #expect(throws: closed) { try store.chunk(of: video, from: 0) }
        #expect(throws: closed) { try store.save([4], at: 3, of: video) }
        #expect(throws: closed) { try store.checkpoint() }
    }

    /// The log was taken to grow by pages of 1 KB, so that a database that some other program, or
    /// an earlier version, had begun with larger ones was copied four times too late.
    @Test(arguments: StorageLayout.allCases)
    func theLogIsEstimatedInThePagesThatAreThere(layout: StorageLayout) throws {
        let queue = try DatabaseQueue(path: folder.file("cache.sqlite"))
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL")
        }
        try queue.close()
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        #expect(store.storage.logBytes(for: 0) == (layout == .rows ? 6 : 7) * 4096)
        let size = try store.access { try Int.fetchOne($0, sql: "PRAGMA page_size") }
        #expect(size == 4096)
    }
}
