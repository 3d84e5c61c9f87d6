import GRDB
import Testing

@testable import VideoCache

@Suite("Saving as it comes (S1, S2, T7, B8)")
struct IncrementalSaverTests {
    let folder = TemporaryFolder()
    let store: SQLiteChunkStore
    let video: CachedVideo
    let observer = RecordingObserver()

    init() throws {
        store = try SQLiteChunkStore(folder: folder.path)
        video = try store.anyVideo()
    }

    private func saver(
        start: Int64 = 0, schedule: any SaveSchedule = SavePolicy.default,
        of video: CachedVideo? = nil, in store: SQLiteChunkStore? = nil
    ) -> IncrementalSaver {
        let (video, store) = (video ?? self.video, store ?? self.store)
        return IncrementalSaver(
            version: VideoVersion(stored: video, in: store), start: start, store: store,
            schedule: schedule, observer: observer,
            phases: PhaseTracker(observer: observer, current: .receiving))
    }

    /// Another video; its bytes go through the database and its WAL.
    private func inRows() throws -> (SQLiteChunkStore, CachedVideo) {
        let store = try SQLiteChunkStore(folder: folder.file("rows"), layout: .rows)
        return (store, try store.anyVideo())
    }

    @Test("from 5 MB on, 2.5 MB saved: saves next at 7.5 MB (S1)")
    func documentedExample() throws {
        let start: Int64 = 5 << 20
        let saver = saver(start: start)
        try saver.feed(videoBytes(5 << 19))
        #expect(observer.commits.last?.acknowledged == 5 << 19)
        try saver.feed(videoBytes(512 << 10))
        #expect(observer.commits.last?.range.offset == 15 << 19)
        #expect(try store.ranges(of: video).ranges == [ByteRange(offset: start, length: 3 << 20)])
    }

    @Test("1.3 MB: two commits and a remainder (T7)")
    func remainder() throws {
        let bytes = videoBytes(1_363_148)
        let saver = saver()
        try saver.feed(bytes)
        #expect(observer.commits.map(\.range.length) == [524_288, 524_288])
        try saver.finish()
        #expect(observer.commits.map(\.range.length) == [524_288, 524_288, 314_572])
        let cache = VideoCache(store: store)
        #expect(try cache.served(ByteRange(offset: 0, length: 2 << 20)).bytes == bytes)
    }

    @Test(
        "10 MB at 512 KB: 20 commits and one remainder, however reads fall (B8)",
        arguments: [16_384, 16_101, 9_000, 1_460])
    func commitCount(piece: Int) throws {
        let saver = saver()
        try saver.feed(videoBytes(10 << 20), piece: piece)
        try saver.finish()
        let sizes = observer.commits.map(\.range.length)
        #expect((20...21).contains(sizes.count))
        #expect(sizes.dropLast().allSatisfy { (487_424...524_288).contains($0) })
        #expect(sizes.reduce(0, +) == 10 << 20)
        #expect(saver.commits == sizes.count)
    }

    @Test("zero bytes end cleanly and write nothing (S2)")
    func zeroBytes() throws {
        let saver = saver()
        try saver.finish()
        #expect(observer.commits.isEmpty)
        #expect(try store.chunkCount(of: video) == 0)
    }

    @Test("disabled saves nothing before the end, then all in one transaction (B2, S2)")
    func disabled() throws {
        let bytes = videoBytes(5 << 19)
        let saver = saver(schedule: SavePolicy.disabled)
        try saver.feed(bytes)
        #expect(try store.chunkCount(of: video) == 0)
        try saver.finish()
        #expect(observer.commits.count == 1)
        #expect(try store.chunkCount(of: video) == 3, "no row is larger than 1 MB")
        let cache = VideoCache(store: store)
        #expect(try cache.served(ByteRange(offset: 0, length: 5 << 19)).bytes == bytes)
    }

    @Test("bytes that are there already change nothing, and count as safe (C2)")
    func alreadyThere() throws {
        let bytes = videoBytes(1 << 20)
        try store.save(bytes, at: 0, of: video)
        let saver = saver()
        try saver.feed(bytes)
        try saver.finish()
        #expect(try store.chunkCount(of: video) == 1)
        #expect(saver.commits == 0 && saver.storedBytes == 0)
        #expect(observer.commits.last?.acknowledged == 1 << 20)
    }

    @Test("a piece larger than the threshold is saved in several commits")
    func largePiece() throws {
        let saver = saver()
        try saver.feed(videoBytes(3 << 20), piece: 3 << 20)
        #expect(observer.commits.count == 6)
        #expect(observer.commits.allSatisfy { $0.range.length <= 512 << 10 })
    }

    @Test("the log is emptied by the saver itself, in a phase of its own")
    func checkpoints() throws {
        let (store, video) = try inRows()
        let saver = saver(of: video, in: store)
        try saver.feed(videoBytes(10 << 20))
        #expect(observer.phases.filter { $0 == .checkpointing }.count == 2)
        #expect(observer.phases.last == .receiving)
        #expect(!store.checkpointIsDue)
    }

    @Test("the disk full: the save fails by name, what was saved before stays (S2, B5)")
    func diskFull() throws {
        let (store, video) = try inRows()
        let bytes = videoBytes(2 << 20)
        try saver(of: video, in: store).feed(Array(bytes[..<(1 << 20)]))
        try store.access { db in try db.execute(sql: "PRAGMA max_page_count = 100") }
        let failing = saver(start: 1 << 20, of: video, in: store)
        #expect(throws: CacheError.diskFull(path: store.path)) {
            try failing.feed(Array(bytes[(1 << 20)...]))
        }
        try failing.finish()
        let cache = VideoCache(store: store)
        let (served, result) = try cache.served(ByteRange(offset: 0, length: 2 << 20))
        #expect(result.served.length >= 1 << 20 && result.damaged.isEmpty)
        #expect(served == Array(bytes[..<served.count]))
    }
}
