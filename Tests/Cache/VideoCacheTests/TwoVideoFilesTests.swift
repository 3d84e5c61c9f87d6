import Foundation
import Glibc
import Synchronization
import Testing

@testable import VideoCache

/// The files of several videos: each is written, synced, freed and read by itself.
@Suite("The bytes of one video are none of another's (B5, C5)")
struct TwoVideoFilesTests {
    private let folder = TemporaryFolder()
    private let bytes = videoBytes(200_000)

    private func size(_ video: Int64) -> Int? {
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.file("data/\(video)"))
        return facts?[.size] as? Int
    }

    @Test("with power, each save syncs the file of its own video, and its name once")
    func syncs() throws {
        let names = Names()
        var system = FileSystem.ofThisMachine
        system.willSync = { path in
            names.note(URL(fileURLWithPath: path).lastPathComponent)
            return 0
        }
        let store = try SQLiteChunkStore(
            folder: folder.path, durability: .power, layout: .file, system: system)
        let videos = try ["a", "b"].map { try store.anyVideo($0) }
        _ = names.taken()
        for round in 0..<2 {
            for (index, video) in videos.enumerated() {
                try store.save(Array(bytes[..<3_000]), at: Int64(round) * 3_000, of: video)
                #expect(names.taken() == ["\(index + 1)"] + (round == 0 ? ["data"] : []))
            }
        }
    }

    /// The names of what is synced.
    private final class Names: Sendable {
        private let all = Mutex<[String]>([])

        func note(_ name: String) {
            if ["1", "2", "data"].contains(name) { all.withLock { $0.append(name) } }
        }

        func taken() -> [String] {
            all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    /// Two videos are in doubt at the same place; only of one of them no row holds the bytes.
    @Test("what a kill left of one video is freed, and the same place of another one stays")
    func orphans() throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: .file)
        let (a, b) = (try store.anyVideo("a"), try store.anyVideo("b"))
        let part = Array(bytes[..<3_000])
        for video in [a, b] { try store.save(part, at: 0, of: video) }
        try store.save(part, at: 10_000, of: b)
        let place = ByteRange(offset: 10_000, length: 3_000)
        try IntentLog.of(folder.path).write(
            Intents(extents: [a, b].map { Extent(video: $0.id, range: place) }), trust: .thisEpoch)
        try OpenFile.write(part, at: 10_000, to: folder.file("data/\(a.id)"))
        #expect(size(a.id) == 13_000 && size(b.id) == 13_000)
        let relaunched = try SQLiteChunkStore(folder: folder.path)
        #expect(size(a.id) == 3_000 && size(b.id) == 13_000)
        let cache = VideoCache(store: relaunched)
        #expect(try cache.served(place, of: "b").bytes.elementsEqual(part))
        #expect(try cache.cachedRanges(of: "a").ranges == [ByteRange(from: 0, to: 3_000)])
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    @Test("the file of a cleared video goes, and no other")
    func cleared() throws {
        let cache = try VideoCache(folder: folder.path, layout: .file)
        let store = try #require(cache.store as? SQLiteChunkStore)
        for url in ["a", "b", "c"] {
            try store.save(Array(bytes[..<3_000]), at: 0, of: store.anyVideo(url))
        }
        #expect(try cache.clear("b"))
        #expect(size(1) == 3_000 && size(2) == nil && size(3) == 3_000)
        // A number is not given again, or bytes of the old video could be taken for the new one's.
        let again = try store.anyVideo("b")
        #expect(again.id == 4)
        try cache.clearAll()
        #expect([1, 2, 3, 4].allSatisfy { size($0) == nil })
    }

    @Test("by the folder alone, too", arguments: StorageLayout.allCases)
    func clearedInItsFolder(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        for url in ["a", "b"] {
            try store.save(Array(bytes[..<3_000]), at: 0, of: store.anyVideo(url))
        }
        try store.close()
        #expect(throws: CacheError.unknownVideo(url: "c")) {
            try VideoCache.clear("c", inFolder: folder.path)
        }
        try VideoCache.clear("a", inFolder: folder.path)
        let left = try VideoCache(folder: folder.path)
        #expect(try left.videos().map(\.url) == ["b"])
        #expect(try left.beginning(of: "b") == Array(bytes[..<3_000]))
        try left.close()
        try VideoCache.clear("b", inFolder: folder.path)
        #expect(try VideoCache(folder: folder.path).videos().isEmpty)
    }

    /// Chunks of two videos with the same offsets and lengths, read in turn and in part.
    @Test(
        "what was verified or kept in memory is of its own video",
        arguments: StorageLayout.allCases, [0, 4 << 20])
    func readInTurn(layout: StorageLayout, memory: Int64) throws {
        let cache = try VideoCache(folder: folder.path, layout: layout, memory: memory)
        let store = try #require(cache.store as? SQLiteChunkStore)
        let other = bytes.map { $0 ^ 1 }
        for (url, bytes) in [("a", bytes), ("b", other)] {
            try store.save(bytes, at: 0, of: store.anyVideo(url, length: 200_000))
        }
        let loader = VideoLoader(
            cache: cache, transport: AnsweringTransport { _, _ in .status(404) })
        for _ in 0..<3 {
            for (url, bytes) in [("a", bytes), ("b", other)] {
                for range in [70_000..<80_000, 0..<200_000, 199_999..<200_000] {
                    let reader = loader.reader(
                        of: url,
                        range: ByteRange(from: Int64(range.lowerBound), to: Int64(range.upperBound))
                    )
                    #expect(try reader.all().elementsEqual(bytes[range]))
                }
            }
        }
        loader.close()
    }
}
