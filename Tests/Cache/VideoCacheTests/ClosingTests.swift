import Foundation
import GRDB
import Testing

@testable import VideoCache

/// What a close leaves, and in which order it works.
@Suite struct ClosingTests {
    private let folder = TemporaryFolder()

    private struct Copier: CacheObserver {
        let folder: TemporaryFolder

        func entered(_ phase: CachePhase) {
            guard phase == .completing else { return }
            try? FileManager.default.copyItem(
                atPath: folder.file("cache.sqlite"), toPath: folder.file("copy.sqlite"))
        }

        func requestBegan(url: String, start: Int64) -> any RequestObserver { RecordingObserver() }
    }

    /// The order of use used to be written after the checkpoint.
    ///
    /// Closing the database then had to copy the WAL a second time, and to wait for the disk twice
    /// more.
    @Test(arguments: StorageLayout.allCases)
    func theCheckpointComesLast(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        for offset in [0, 100] as [Int64] { try store.save([1, 2, 3], at: offset, of: video) }
        store.noteUse(of: ByteRange(offset: 0, length: 3), in: video)
        try VideoCache(store: store).close(observer: Copier(folder: folder))
        let copy = try DatabaseQueue(path: folder.file("copy.sqlite"))
        let last = try copy.read { db in
            try Int64.fetchOne(db, sql: "SELECT offset FROM chunk_use ORDER BY used DESC")
        }
        #expect(last == 0, "the use of the first chunk is not in the database yet")
    }

    /// With durability `power`, the launch after a clean close used to check every file.
    ///
    /// A file that is in no row shows whether the files were checked: if nothing is in doubt, it
    /// stays.
    @Test(arguments: Durability.allCases)
    func whatWasClosedIsNotLookedAt(durability: Durability) throws {
        let store = try SQLiteChunkStore(folder: folder.path, durability: durability, layout: .file)
        try store.save([1, 2, 3], at: 0, of: store.anyVideo())
        try store.close()
        let stranger = folder.file("data/77")
        #expect(FileManager.default.createFile(atPath: stranger, contents: Data([1])))
        try SQLiteChunkStore(folder: folder.path, durability: durability).close()
        #expect(FileManager.default.fileExists(atPath: stranger))
        // Without a valid note every file is checked.
        try Data("torn".utf8).write(to: URL(fileURLWithPath: folder.file("data/journal")))
        try SQLiteChunkStore(folder: folder.path, durability: durability).close()
        #expect(!FileManager.default.fileExists(atPath: stranger))
    }

    /// A closed cache used to report "out of memory; check the disk" when used again.
    ///
    /// A checkpoint of it crashed in SQLite.
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

    /// The size of the WAL used to be estimated in pages of 1 KB.
    ///
    /// A database created with larger pages, by another program or an earlier version, was
    /// checkpointed four times too late.
    @Test(arguments: StorageLayout.allCases)
    func theLogIsEstimatedInThePagesThatAreThere(layout: StorageLayout) throws {
        let sql = "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL"
        try execute(sql, inDatabase: folder.file("cache.sqlite"))
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        #expect(store.logGrowth(for: 0) == (layout == .rows ? 6 : 7) * 4096)
        let size = try store.access { try Int.fetchOne($0, sql: "PRAGMA page_size") }
        #expect(size == 4096)
    }
}
