import Foundation
import Glibc
import Testing

@testable import VideoCache

/// Several videos in one store: what is wrong with one says nothing of the others.
///
/// After a power cut every video is looked at. With a careless change the damaged row of the first
/// one ended that, and a fetch called the others complete although their bytes were gone.
@Suite("What is wrong with one video concerns no other one (B5, C5)")
struct TwoVideosTests {
    private static let chunk = 10_000
    private static let urls = ["a", "b", "c"]

    private let folder = TemporaryFolder()
    private let bytes = videoBytes(4 * chunk)

    private func open(
        _ layout: StorageLayout = .file, capacity: Int64? = nil
    ) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(folder: folder.file("cache"), layout: layout, capacity: capacity)
    }

    /// Leaves a closed cache that was filled.
    private func leave(_ layout: StorageLayout = .file) throws {
        let store = try open(layout)
        try fill(store)
        try store.close()
    }

    /// Three complete videos of four chunks each; the bytes of each are others.
    private func fill(_ store: SQLiteChunkStore) throws {
        for (number, url) in Self.urls.enumerated() {
            let video = try store.anyVideo(url, length: Int64(bytes.count))
            try store.save(bytes.map { $0 ^ UInt8(number) }, inChunksOf: Self.chunk, of: video)
        }
    }

    private func part(_ video: Int, _ offset: Int) -> [UInt8] {
        bytes[offset..<offset + Self.chunk].map { $0 ^ UInt8(video) }
    }

    private func claimed(_ store: SQLiteChunkStore, _ url: String) throws -> [ByteRange] {
        guard let video = try store.video(url: url) else { return [] }
        return try store.ranges(of: video).ranges
    }

    private let whole = ByteRange(from: 0, to: 40_000)

    /// True if a video can be read as a whole, and is right.
    private func holds(_ cache: VideoCache, _ url: String, _ number: Int) throws -> Bool {
        try cache.served(whole, of: url).bytes == bytes.map { $0 ^ UInt8(number) }
    }

    private func sql(_ text: String) throws {
        try execute(text, inDatabase: folder.file("cache/\(SQLiteSchema.fileName)"))
    }

    /// Destroys the bytes of a chunk, or all from there on.
    private func lose(_ chunk: Int, of video: Int64, toTheEnd: Bool = false) throws {
        let (path, start) = (folder.file("cache/data/\(video)"), Int64(chunk * Self.chunk))
        if toTheEnd { return try OpenFile(path, O_WRONLY).truncate(to: start) }
        try OpenFile.write([UInt8](repeating: 0, count: Self.chunk), at: start, to: path)
    }

    /// Has the cache's files taken for those of another time, as after a power cut.
    private func copy() throws {
        let files = FileManager.default
        try files.copyItem(atPath: folder.file("cache"), toPath: folder.file("copy"))
        try files.removeItem(atPath: folder.file("cache"))
        try files.moveItem(atPath: folder.file("copy"), toPath: folder.file("cache"))
    }

    // MARK: after a power cut

    /// One row of a video is damaged, and each video has lost the bytes of its third chunk.
    @Test(
        arguments: [
            "UPDATE chunk SET length = -1 WHERE video_id = # AND offset = 10000",
            "UPDATE chunk SET offset = 'x' WHERE video_id = # AND offset = 10000",
            "UPDATE chunk SET checksum = x'00' WHERE video_id = # AND offset = 10000",
            "UPDATE video SET checksum = checksum + 1 WHERE id = #",
            "UPDATE video SET length = -1 WHERE id = #",
        ], [1, 2, 3])
    func aDamagedRowHidesNoLossOfTheOthers(damage: String, damaged: Int) throws {
        try leave()
        try sql(damage.replacing("#", with: "\(damaged)"))
        for video in 1...3 { try lose(2, of: Int64(video)) }
        try copy()
        let relaunched = try open()
        for (index, url) in Self.urls.enumerated() where index + 1 != damaged {
            #expect(
                try claimed(relaunched, url) == [
                    ByteRange(from: 0, to: 20_000), ByteRange(from: 30_000, to: 40_000),
                ], "\(url)")
        }
        // A video without its row is gone, with all that it had; the others are not.
        let isGone = damage.contains("UPDATE video")
        #expect(try relaunched.videos().count == (isGone ? 2 : 3))
        // Every video can be completed again, and is right then.
        for video in try relaunched.videos() { _ = try relaunched.mend(video) }
        try fill(relaunched)
        let cache = VideoCache(store: relaunched)
        // What the launch could not see of the damaged one is found when it is read.
        for url in Self.urls { try? cache.export(url, to: folder.file("out")) }
        try fill(relaunched)
        for (number, url) in Self.urls.enumerated() { #expect(try holds(cache, url, number)) }
        try cache.close()
        #expect(try CacheAudit(folder: folder.file("cache")).complaints == [])
    }

    /// The same of an older file that was put in the place of a video's own (K14): without a power
    /// cut, only holes are looked for.
    @Test(arguments: [1, 2, 3])
    func aDamagedRowHidesNoHoleOfTheOthers(damaged: Int) throws {
        try leave()
        try sql("UPDATE chunk SET length = -1 WHERE video_id = \(damaged) AND offset = 10000")
        for video in 1...3 { try lose(3, of: Int64(video), toTheEnd: true) }
        let relaunched = try open()
        for (index, url) in Self.urls.enumerated() where index + 1 != damaged {
            #expect(try claimed(relaunched, url) == [ByteRange(from: 0, to: 30_000)], "\(url)")
        }
    }

    /// How many chunks a launch has dropped is told of each video, once (F5).
    @Test func eachVideoHasItsOwnCountOfWhatTheLaunchDropped() throws {
        try leave()
        for chunk in [0, 2] { try lose(chunk, of: 1) }
        try lose(3, of: 3)
        try copy()
        let relaunched = try open()
        let counts = try Self.urls.map { url in
            try relaunched.countChunks(of: #require(try relaunched.video(url: url)))
        }
        #expect(counts.map(\.recorded) == [4, 4, 4])
        #expect(counts.map(\.found.count) == [2, 4, 3])
        let again = try Self.urls.map { url in
            try relaunched.countChunks(of: #require(try relaunched.video(url: url)))
        }
        #expect(again.map(\.recorded) == [2, 4, 3], "what was dropped is told once")
    }

    // MARK: repair

    /// Two videos are damaged in the same way; the repair of one leaves the other as it is.
    @Test(arguments: StorageLayout.allCases)
    func aRepairIsOfOneVideo(layout: StorageLayout) throws {
        try leave(layout)
        try sql("UPDATE chunk SET length = 9999 WHERE offset = 20000 AND video_id < 3")
        let relaunched = try open(layout)
        let lost = [ByteRange(from: 20_000, to: 30_000)]
        let rest = [ByteRange(from: 0, to: 20_000), ByteRange(from: 30_000, to: 40_000)]
        #expect(try relaunched.mend(#require(try relaunched.video(url: "a"))) == lost)
        #expect(try claimed(relaunched, "a") == rest)
        #expect(try claimed(relaunched, "b") == [whole], "it was not looked at")
        #expect(try claimed(relaunched, "c") == [whole])
        #expect(try relaunched.mend(#require(try relaunched.video(url: "b"))) == lost)
        #expect(try claimed(relaunched, "b") == rest)
        #expect(try relaunched.mend(#require(try relaunched.video(url: "c"))) == nil)
        let cache = VideoCache(store: relaunched)
        #expect(try holds(cache, "c", 2))
        try cache.close()
        #expect(try CacheAudit(folder: folder.file("cache")).complaints == [])
    }

    /// A save into a sound video passes by the damage of another one.
    @Test(arguments: StorageLayout.allCases)
    func aSavePassesByTheDamageOfAnother(layout: StorageLayout) throws {
        try leave(layout)
        try sql("UPDATE cached_range SET length = -1 WHERE video_id = 1")
        let relaunched = try open(layout)
        let other = try #require(try relaunched.video(url: "b"))
        try relaunched.discard(ByteRange(from: 5_000, to: 6_000), of: other)
        #expect(try claimed(relaunched, "b") == [ByteRange(from: 10_000, to: 40_000)])
        #expect(try relaunched.save(part(1, 0), at: 0, of: other) == 10_000)
        #expect(try claimed(relaunched, "b") == [whole])
        #expect(try claimed(relaunched, "c") == [whole])
    }

    // MARK: counting and clearing

    @Test(arguments: StorageLayout.allCases)
    func eachVideoIsCountedByItself(layout: StorageLayout) throws {
        let store = try open(layout)
        try fill(store)
        let cache = VideoCache(store: store)
        try store.discard(
            ByteRange(from: 10_000, to: 10_001), of: #require(try store.video(url: "b")))
        #expect(try Self.urls.map { try cache.chunkCount(of: $0) } == [4, 3, 4])
        #expect(try Self.urls.map { try cache.cachedBytes(of: $0) } == [40_000, 30_000, 40_000])
        #expect(try Self.urls.map { try cache.percentCached(of: $0) } == [100, 75, 100])
        #expect(try cache.totalCachedBytes() == 110_000)
        #expect(try cache.missingRanges(of: "b") == [ByteRange(from: 10_000, to: 20_000)])
        #expect(try cache.missingRanges(of: "c") == [])
    }

    @Test(arguments: StorageLayout.allCases, ["a", "b", "c"])
    func anotherVersionOfOneReplacesNoOther(layout: StorageLayout, url: String) throws {
        let store = try open(layout)
        try fill(store)
        let facts = ContentInformation(length: 20_000, acceptsRanges: true, etag: "\"v2\"")
        let old = try #require(try store.video(url: url))
        try store.replace(old, with: facts, bytes: part(7, 0))
        #expect(try claimed(store, url) == [ByteRange(from: 0, to: 10_000)])
        let cache = VideoCache(store: store)
        for (number, other) in Self.urls.enumerated() where other != url {
            #expect(try holds(cache, other, number))
        }
        #expect(try cache.totalCachedBytes() == 90_000)
    }

    // MARK: eviction

    /// Chunks at the same offsets of different videos are used, protected and evicted apart.
    @Test(arguments: StorageLayout.allCases)
    func theOrderOfUseIsOfEachChunkOfEachVideo(layout: StorageLayout) throws {
        let store = try open(layout, capacity: 120_000)
        try fill(store)
        let (a, b) = (
            try #require(try store.video(url: "a")), try #require(try store.video(url: "b"))
        )
        // All but the second chunk of `b` was used since.
        store.noteUse(of: whole, in: try #require(try store.video(url: "c")))
        for offset in [0, 20_000, 30_000] as [Int64] {
            store.noteUse(of: ByteRange(offset: offset, length: 1), in: b)
        }
        store.noteUse(of: whole, in: a)
        let other = try store.anyVideo("other")
        try store.save(part(5, 0), at: 0, of: other)
        #expect(
            try claimed(store, "b") == [
                ByteRange(from: 0, to: 10_000), ByteRange(from: 20_000, to: 40_000),
            ])
        #expect(try claimed(store, "a") == [whole])
        #expect(try claimed(store, "c") == [whole])
        // A reader of `c` protects none of the others at the same place.
        let hold = store.readers.hold(whole, of: try #require(try store.video(url: "c")))
        try store.save(part(5, 0), at: 10_000, of: other)
        try store.save(part(5, 0), at: 20_000, of: other)
        #expect(try claimed(store, "c") == [whole])
        #expect(try claimed(store, "b") == [ByteRange(from: 30_000, to: 40_000)])
        withExtendedLifetime(hold) {}
        #expect(try claimed(store, "a") == [whole])
    }
}
