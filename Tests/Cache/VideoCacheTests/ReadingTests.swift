import Foundation
import GRDB
import Testing

@testable import VideoCache

@Suite("Reading serves only what is there and whole (C4, C5)")
struct ReadingTests {
    let folder = TemporaryFolder()
    let store: SQLiteChunkStore
    let cache: VideoCache
    let video: CachedVideo
    let bytes = videoBytes(5000)

    /// Chunks at 0, 1000, 2000 and 4000, of 1000 bytes each: a gap from 3000 to 4000.
    init() throws {
        store = try SQLiteChunkStore(folder: folder.path, layout: .rows)
        cache = VideoCache(store: store)
        video = try store.anyVideo(length: 5000)
        for offset in [0, 1000, 2000, 4000] {
            try store.save(Array(bytes[offset..<offset + 1000]), at: Int64(offset), of: video)
        }
    }

    private func damage(_ offset: Int64, sql: String = "bytes = zeroblob(length)") throws {
        try store.access {
            try $0.execute(sql: "UPDATE chunk SET \(sql) WHERE offset = ?", arguments: [offset])
        }
    }

    @Test(
        "full hit, partial hit, miss",
        arguments: [(500, 2500, 2500), (2500, 4500, 3000), (3000, 3500, 3000), (4999, 6000, 5000)])
    func hits(start: Int64, end: Int64, servedTo: Int64) throws {
        let (served, result) = try cache.served(ByteRange(from: start, to: end))
        #expect(result.served == ByteRange(from: start, to: servedTo))
        #expect(served == Array(bytes[Int(start)..<Int(servedTo)]))
    }

    @Test("a cancelled export leaves no file")
    func cancelledExport() throws {
        try store.save(Array(bytes[3000..<4000]), at: 3000, of: video)
        let cancellation = Cancellation()
        cancellation.cancel()
        let path = folder.file("out.mp4")
        #expect(throws: TransportError.cancelled) {
            try cache.export(video.url, to: path, cancellation: cancellation)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.filter { $0.hasPrefix("out.mp4") } == [])
        try cache.export(video.url, to: path)
        #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    }

    @Test("no record of the video is a miss, not an error")
    func unknownVideo() throws {
        let range = ByteRange(offset: 0, length: 10)
        #expect(try cache.served(range, of: "other").result.served.isEmpty)
    }

    @Test(
        "a damaged chunk is never served",
        arguments: [
            "bytes = zeroblob(length)", "bytes = substr(bytes, 2)", "checksum = checksum + 1",
        ])
    func damaged(sql: String) throws {
        try damage(1000, sql: sql)
        let whole = ByteRange(offset: 0, length: 5000)
        let chunk = ByteRange(offset: 1000, length: 1000)
        let (served, result) = try cache.served(whole)
        #expect(served == Array(bytes[..<1000]))
        #expect(result.damaged == [chunk])
        var parts: [Int64: [UInt8]] = [:]
        #expect(try cache.readParts(in: whole, of: video.url) { parts[$0] = Array($1) } == [chunk])
        #expect(parts.keys.sorted() == [0, 2000, 4000])
        try cache.discard(result.damaged, of: video.url)
        #expect(
            try cache.missingRanges(of: video.url)
                == [chunk, ByteRange(offset: 3000, length: 1000)])
    }

    @Test("an incomplete video is not exported, and no file is left")
    func exportIncomplete() throws {
        let output = folder.file("out.mp4")
        let missing = [ByteRange(offset: 3000, length: 1000)]
        #expect(throws: CacheError.incomplete(url: video.url, missing: missing)) {
            try cache.export(video.url, to: output)
        }
        #expect(try leftovers() == [])
    }

    @Test("a complete video is exported byte for byte, over what was there")
    func exportComplete() throws {
        let output = folder.file("out.mp4")
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        try store.save(Array(bytes[3000..<4000]), at: 3000, of: video)
        try cache.export(video.url, to: output)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: output))) == bytes)
        #expect(try leftovers() == ["out.mp4"])
    }

    @Test("an export that meets damage drops it, leaves the old file, and says so (C5)")
    func exportDamaged() throws {
        let output = folder.file("out.mp4")
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        try store.save(Array(bytes[3000..<4000]), at: 3000, of: video)
        try damage(2000)
        let dropped = ByteRange(offset: 2000, length: 1000)
        #expect(throws: CacheError.damaged(url: video.url, dropped: [dropped])) {
            try cache.export(video.url, to: output)
        }
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "old")
        #expect(try leftovers() == ["out.mp4"])
        #expect(try cache.missingRanges(of: video.url) == [dropped])
        try store.save(Array(bytes[2000..<3000]), at: 2000, of: video)
        try cache.export(video.url, to: output)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: output))) == bytes)
    }

    @Test("a range that no chunk backs is dropped like a damaged one")
    func exportHollow() throws {
        try store.save(Array(bytes[3000..<4000]), at: 3000, of: video)
        try store.access { try $0.execute(sql: "DELETE FROM chunk WHERE offset = 1000") }
        let hollow = ByteRange(offset: 1000, length: 1000)
        #expect(throws: CacheError.damaged(url: video.url, dropped: [hollow])) {
            try cache.export(video.url, to: folder.file("out.mp4"))
        }
        #expect(try cache.missingRanges(of: video.url) == [hollow])
    }

    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix("cache.sqlite") }
    }
}
