import Testing

@testable import VideoCache

@Suite("A request goes on whatever the limit is (C6, S1, S2)")
struct EvictingSaverTests {
    let folder = TemporaryFolder()
    let observer = RecordingObserver()

    private func saver(
        _ version: VideoVersion, _ store: SQLiteChunkStore,
        schedule: any SaveSchedule = SavePolicy.default
    ) -> IncrementalSaver {
        IncrementalSaver(
            version: version, start: 0, store: store, schedule: schedule,
            observer: observer, phases: PhaseTracker(observer: observer, current: .receiving))
    }

    @Test("a video larger than the limit is saved on; its own older chunks go, in a phase")
    func largerThanTheLimit() throws {
        let capacity: Int64 = 1 << 20
        let store = try SQLiteChunkStore(folder: folder.path, capacity: capacity)
        let video = try store.anyVideo()
        let saver = saver(VideoVersion(stored: video, in: store), store)
        let bytes = videoBytes(4 << 20)
        try saver.feed(bytes)
        try saver.finish()
        #expect(observer.commits.map(\.acknowledged).last == 4 << 20)
        #expect(observer.phases.prefix(6).filter { $0 == .evicting }.count == 1)
        #expect(
            zip(observer.phases, observer.phases.dropFirst()).contains {
                $0 == (.committing, .evicting)
            })
        let ranges = try store.ranges(of: video)
        #expect(ranges.ranges.last?.end == 4 << 20)
        #expect(ranges.byteCount > capacity / 2)
        #expect(try CacheAudit(folder: folder.path, capacity: capacity).complaints == [])
    }

    @Test("what has no room is not acknowledged, and is no error")
    func noRoom() throws {
        let store = try SQLiteChunkStore(folder: folder.path, capacity: 1 << 20)
        let video = try store.anyVideo()
        let hold = store.readers.hold(ByteRange(from: 0, to: 8 << 20), of: video)
        let saver = saver(VideoVersion(stored: video, in: store), store)
        try saver.feed(videoBytes(2 << 20))
        let safe = try #require(observer.commits.last)
        #expect(observer.commits.count == 2)
        #expect(saver.savedEnd == 2 << 20, "the request goes on")
        #expect(!saver.hadRoomForAll)
        #expect(
            try store.ranges(of: video).ranges == [ByteRange(offset: 0, length: safe.acknowledged)])
        // After the reader moves on, bytes are saved again, but those refused earlier never count
        // as safe.
        hold.move(to: ByteRange(from: 1 << 20, to: 2 << 20))
        try saver.feed(videoBytes(1 << 19))
        try saver.finish()
        #expect(observer.commits.count > 2)
        #expect(observer.commits.last?.acknowledged == safe.acknowledged)
        #expect(observer.commits.last?.stored ?? 0 > 0)
    }

    @Test("a save larger than the limit keeps its end", arguments: StorageLayout.allCases)
    func hugeSave(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: 2 << 20)
        let old = try store.anyVideo("v", length: 9)
        try store.save([1, 2, 3], at: 0, of: old)
        let facts = ContentInformation(length: 5 << 20, acceptsRanges: true)
        let version = VideoVersion(facts, replacing: old, url: "v", in: store)
        let saver = saver(version, store, schedule: SavePolicy.disabled)
        let bytes = videoBytes(5 << 20)
        try saver.feed(bytes)
        try saver.finish()
        let kept = ByteRange(from: 3 << 20, to: 5 << 20)
        #expect(try store.ranges(of: try #require(version.video)).ranges == [kept])
        #expect(
            try VideoCache(store: store).served(kept, of: "v").bytes == Array(bytes[(3 << 20)...]))
        #expect(try CacheAudit(folder: folder.path, capacity: 2 << 20).complaints == [])
    }
}
