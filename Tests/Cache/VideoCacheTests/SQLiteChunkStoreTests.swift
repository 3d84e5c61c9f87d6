import Foundation
import GRDB
import Testing

@testable import VideoCache

@Suite("Every storage layout keeps the one contract (B5, C1, C2, C3)")
struct SQLiteChunkStoreTests {
    let folder = TemporaryFolder()

    @Test(
        "the database is laid out as other programs expect it", arguments: Durability.allCases,
        StorageLayout.allCases)
    func layout(durability: Durability, layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(
            folder: folder.path, durability: durability, layout: layout)
        func pragma(_ name: String) throws -> String? {
            try store.access { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }
        #expect(try pragma("user_version") == "4")
        #expect(try pragma("page_size") == (layout == .rows ? "16384" : "1024"))
        #expect(try pragma("auto_vacuum") == "2")
        #expect(try pragma("journal_mode") == "wal")
        #expect(try pragma("synchronous") == (durability == .power ? "2" : "1"))
        #expect(try pragma("secure_delete") == "0")
        #expect(try pragma("wal_autocheckpoint") == "0")
        #expect(try pragma("foreign_keys") == "1")
        #expect(try pragma("integrity_check") == "ok")
    }

    /// The documents' store replaced a chunk by whatever was saved at its offset.
    @Test(
        "a save at an offset that has a longer chunk takes nothing from it (C2)",
        arguments: StorageLayout.allCases)
    func shorterAtTheSameOffset(layout: StorageLayout) throws {
        let bytes = videoBytes(3000)
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        #expect(try store.save(Array(bytes[..<2000]), at: 0, of: video) == 2000)
        #expect(try store.save([UInt8](repeating: 0, count: 500), at: 0, of: video) == 0)
        #expect(try store.save(Array(bytes), at: 0, of: video) == 1000)
        let whole = ByteRange(offset: 0, length: 3000)
        #expect(try store.ranges(of: video).ranges == [whole])
        #expect(try VideoCache(store: store).served(whole).bytes == bytes)
    }

    /// The documents keyed videos by the last part of their path: these two shared their chunks.
    @Test(
        "videos whose addresses end in the same name share nothing (C12)",
        arguments: StorageLayout.allCases)
    func sameName(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let facts = ContentInformation(length: 1000, acceptsRanges: true)
        let urls = ["http://a/x/video.mp4", "http://a/y/video.mp4", "http://a/x/video.mp4?2"]
        for (index, url) in urls.enumerated() {
            let video = try store.store(facts, url: url)
            let bytes = videoBytes(1000, seed: UInt64(index + 1))
            #expect(try store.save(bytes, at: 0, of: video) == 1000)
        }
        let cache = VideoCache(store: store)
        for (index, url) in urls.enumerated() {
            let served = try cache.served(ByteRange(offset: 0, length: 1000), of: url)
            #expect(served.bytes == videoBytes(1000, seed: UInt64(index + 1)))
        }
        #expect(try cache.clear(urls[0]))
        #expect(try cache.videos().map(\.url) == Array(urls[1...]))
    }

    @Test(
        "chunks at any offset and of any size are found by where they lie (C1)",
        arguments: StorageLayout.allCases)
    func trueOffsets(layout: StorageLayout) throws {
        // The documents' first bug: a stride of 64 KB found 64 of 185 KB in these chunks.
        let offsets: [Int64] = [0, 13194, 65536, 195_222]
        let sizes = [13194, 52342, 129_686, 1000]
        let bytes = videoBytes(196_222)
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        for (offset, size) in zip(offsets, sizes).reversed() {
            try store.save(Array(bytes[Int(offset)..<Int(offset) + size]), at: offset, of: video)
        }
        let cache = VideoCache(store: store)
        let whole = ByteRange(offset: 0, length: 196_222)
        #expect(try store.chunkCount(of: video) == 4)
        #expect(try store.ranges(of: video).ranges == [whole])
        #expect(try cache.served(whole).bytes == bytes)
        let middle = ByteRange(from: 13_000, to: 195_300)
        #expect(try cache.served(middle).bytes == Array(bytes[13_000..<195_300]))
    }

    @Test(
        "overlapping saves store only what is new (C2)", arguments: UInt64(1)...8,
        StorageLayout.allCases)
    func overlaps(seed: UInt64, layout: StorageLayout) throws {
        var generator = SeededGenerator(state: seed)
        let bytes = videoBytes(10_000)
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        var model = ByteRangeSet()
        for _ in 0..<40 {
            let start = Int.random(in: 0..<9_000, using: &generator)
            let end = start + Int.random(in: 1...1_000, using: &generator)
            let before = model.byteCount
            model.insert(ByteRange(from: Int64(start), to: Int64(end)))
            let stored = try store.save(Array(bytes[start..<end]), at: Int64(start), of: video)
            #expect(stored == model.byteCount - before)
        }
        #expect(try store.ranges(of: video) == model)
        for offset in stride(from: Int64(0), to: 10_001, by: 97) {
            #expect(
                try store.cachedRange(of: video, from: offset)
                    == model.ranges.first { $0.end > offset })
        }
        let chunkBytes = try store.access {
            try Int64.fetchOne($0, sql: "SELECT SUM(length) FROM chunk")
        }
        #expect(chunkBytes == model.byteCount, "chunks never overlap")
        var read = ByteRangeSet()
        let cache = VideoCache(store: store)
        try cache.readParts(in: ByteRange(offset: 0, length: 10_000), of: video.url) {
            offset, part in
            #expect(part.elementsEqual(bytes[Int(offset)..<Int(offset) + part.count]))
            read.insert(ByteRange(offset: offset, length: Int64(part.count)))
        }
        #expect(read == model)
    }

    @Test(
        "what was committed is in a copy of the files, as a kill leaves them (B5, B7)",
        arguments: StorageLayout.allCases)
    func copiedWhileOpen(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        let bytes = videoBytes(600_000)
        try store.save(Array(bytes[..<500_000]), at: 0, of: video)
        try store.save(Array(bytes[500_000...]), at: 500_000, of: video)
        let copy = folder.file("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: store.path + suffix, toPath: copy + "/cache.sqlite" + suffix)
        }
        if layout == .file {
            try FileManager.default.copyItem(atPath: folder.file("data"), toPath: copy + "/data")
        }
        let relaunched = try VideoCache(folder: copy)
        #expect(try CacheAudit(folder: copy).complaints == [])
        #expect(try relaunched.served(ByteRange(offset: 0, length: 700_000)).bytes == bytes)
        #expect(try relaunched.chunkCount(of: video.url) == 2)
    }

    @Test(
        "content information is kept, and replaced as a whole (C3)",
        arguments: StorageLayout.allCases)
    func information(layout: StorageLayout) throws {
        let facts = ContentInformation(
            length: 33_210_996, mimeType: "video/mp4", acceptsRanges: true, etag: "\"a\"",
            lastModified: "Sat, 21 Nov 2026 00:00:00 GMT")
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let first = try store.store(facts, url: "http://127.0.0.1/v")
        try store.save([1, 2, 3], at: 0, of: first)
        let second = try store.store(
            ContentInformation(length: nil, acceptsRanges: false), url: "http://127.0.0.1/v")
        #expect(first.id == second.id)
        #expect(try store.video(url: "http://127.0.0.1/v")?.information.length == nil)
        #expect(try store.ranges(of: first).byteCount == 3)
        #expect(try store.video(url: "http://127.0.0.1/other") == nil)
    }

    @Test("one video is cleared, or all (C10)", arguments: StorageLayout.allCases)
    func clearing(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let cache = VideoCache(store: store)
        for name in ["a", "b", "c"] {
            try store.save([1, 2, 3], at: 0, of: store.anyVideo(name, length: 4))
        }
        #expect(try cache.clear("b"))
        #expect(try !cache.clear("b"))
        #expect(try cache.videos().map(\.url) == ["a", "c"])
        #expect(try cache.totalCachedBytes() == 6)
        try store.save(videoBytes(3 << 20), at: 10, of: store.anyVideo("a", length: 4 << 20))
        try cache.clearAll()
        #expect(try cache.videos().isEmpty)
        let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
        #expect(try #require(size) < 1 << 20, "the space is given back")
        let rest = try store.access {
            try Int.fetchOne(
                $0, sql: "SELECT (SELECT COUNT(*) FROM chunk) + (SELECT COUNT(*) FROM cached_range)"
            )
        }
        #expect(rest == 0)
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    @Test(
        "a dropped chunk goes as a whole, so that no range is left without bytes (C5)",
        arguments: StorageLayout.allCases)
    func discardingPartOfAChunk(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        for offset in [0, 100, 200, 300] as [Int64] {
            try store.save(videoBytes(100), at: offset, of: video)
        }
        try store.discard(ByteRange(from: 150, to: 210), of: video)
        #expect(try store.chunkCount(of: video) == 2)
        #expect(
            try store.ranges(of: video).ranges
                == [ByteRange(from: 0, to: 100), ByteRange(from: 300, to: 400)])
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    /// A reader that had seen a chunk's damage dropped whatever was stored there when it acted.
    ///
    /// That included chunks that another process had fetched anew and called safe. It happened with
    /// two readers of one video, and with two launches after a power cut.
    @Test(
        "what was stored anew since damage was found is not dropped with it (C5, B5)",
        arguments: StorageLayout.allCases)
    func droppingWhatIsStillDamaged(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let other = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        let bytes = videoBytes(400)
        try store.save(bytes, inChunksOf: 100, of: video)
        try store.access {
            try $0.execute(
                sql: "UPDATE chunk SET checksum = checksum + 1 WHERE offset IN (100, 200)")
        }
        let found = ByteRange(from: 100, to: 300)
        // The other store is faster: it has dropped both chunks, and saved the first one again.
        try other.dropDamaged(in: found, of: video)
        #expect(
            try store.ranges(of: video).ranges
                == [ByteRange(from: 0, to: 100), ByteRange(from: 300, to: 400)])
        try other.save(Array(bytes[100..<200]), at: 100, of: video)
        try store.dropDamaged(in: found, of: video)
        #expect(
            try store.ranges(of: video).ranges
                == [ByteRange(from: 0, to: 200), ByteRange(from: 300, to: 400)])
        #expect(try store.chunk(of: video, from: 100)?.bytes == Array(bytes[100..<200]))
        // A chunk that only begins or ends in the range is not dropped either.
        try store.dropDamaged(in: ByteRange(from: 50, to: 350), of: video)
        #expect(try store.chunkCount(of: video) == 3)
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    @Test("the cache answers without the network (C10)", arguments: StorageLayout.allCases)
    func questions(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let cache = VideoCache(store: store)
        let video = try store.anyVideo(length: 1000)
        try store.save(videoBytes(250), at: 100, of: video)
        #expect(try cache.cachedBytes(of: video.url) == 250)
        #expect(try cache.percentCached(of: video.url) == 25)
        #expect(try cache.isCached(ByteRange(offset: 100, length: 250), of: video.url))
        #expect(try !cache.isCached(ByteRange(offset: 99, length: 2), of: video.url))
        #expect(
            try cache.missingRanges(of: video.url)
                == [ByteRange(from: 0, to: 100), ByteRange(from: 350, to: 1000)])
        #expect(throws: CacheError.unknownVideo(url: "x")) { try cache.missingRanges(of: "x") }
    }
}
