import Foundation
import GRDB
import Testing

@testable import VideoCache

/// One damaged value broke exports, processes or fetches.
///
/// One flipped bit of `video.length` exported 4 MB of a video of 5 MB with exit code 0. A length of
/// -1, or a text in place of a number, crashed the process, and with it the proxy of all players. A
/// chunk at offset -1 made every fetch say "complete" and every export fail.
@Suite("A row that is damaged is a row that is not there (C5)")
struct DamagedRowsTests {
    private static let url = "http://127.0.0.1/v"
    private static let bytes = videoBytes(50_000)
    private static let information = ContentInformation(
        length: Int64(bytes.count), mimeType: "video/mp4", acceptsRanges: true, etag: "\"a\"")

    private let folder = TemporaryFolder()

    /// A complete video in five chunks, with one value damaged by SQL.
    private func damage(_ layout: StorageLayout, _ sql: String) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.store(Self.information, url: Self.url)
        try store.save(Self.bytes, inChunksOf: 10_000, of: video)
        try VideoCache(store: store).close()
        try execute(sql, inDatabase: folder.file(SQLiteSchema.fileName))
    }

    /// Whether the video can be exported; if so, its bytes must be right.
    private func exports(_ cache: VideoCache) throws -> Bool {
        let path = folder.file("out.mp4")
        do {
            try cache.export(Self.url, to: path)
        } catch is CacheError {
            #expect(!FileManager.default.fileExists(atPath: path))
            return false
        }
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(file.elementsEqual(Self.bytes))
        try FileManager.default.removeItem(atPath: path)
        return true
    }

    /// Performs the steps of a fetch.
    private func fetch(into store: SQLiteChunkStore) throws {
        let known = try store.video(url: Self.url)
        if let known { _ = try store.mend(known) }
        let video = try known ?? store.store(Self.information, url: Self.url)
        for gap in try VideoCache(store: store).missingRanges(of: Self.url) {
            let part = Array(Self.bytes[Int(gap.offset)..<Int(gap.end)])
            try store.save(part, at: gap.offset, of: video)
        }
    }

    private static let damages = [
        "UPDATE video SET length = 40000", "UPDATE video SET length = 0",
        "UPDATE video SET length = -1", "UPDATE video SET length = 'abc'",
        "UPDATE video SET length = NULL", "UPDATE video SET url = x'00ff'",
        "UPDATE video SET etag = '\"b\"'", "UPDATE video SET accepts_ranges = 'x'",
        "UPDATE video SET checksum = checksum + 1", "UPDATE video SET checksum = 'x'",
        "UPDATE chunk SET offset = -1 WHERE offset = 0",
        "UPDATE chunk SET offset = 'abc' WHERE offset = 20000",
        "UPDATE chunk SET offset = 20007 WHERE offset = 20000",
        "UPDATE chunk SET offset = 9223372036854775807 WHERE offset = 20000",
        "UPDATE chunk SET length = -1 WHERE offset = 20000",
        "UPDATE chunk SET length = 9223372036854775807 WHERE offset = 20000",
        "UPDATE chunk SET length = 9999 WHERE offset = 20000",
        "UPDATE chunk SET length = 'x' WHERE offset = 20000",
        "UPDATE chunk SET checksum = x'00' WHERE offset = 20000",
        "UPDATE cached_range SET offset = -1", "UPDATE cached_range SET offset = 'x'",
        "UPDATE cached_range SET length = 30005", "UPDATE cached_range SET length = 1.5",
        "UPDATE cached_range SET length = 9223372036854775807", "DELETE FROM cached_range",
        "UPDATE chunk_use SET checksum = NULL WHERE offset = 20000",
        "UPDATE chunk_use SET used = 'x' WHERE offset = 20000",
        "DELETE FROM chunk_use WHERE offset = 20000",
        "UPDATE chunk_total SET bytes = -9223372036854775808",
        "UPDATE chunk_total SET bytes = 'x'", "DELETE FROM chunk_total",
    ]

    @Test(
        "no damage hands out a wrong byte, and what was fetched again can be exported",
        arguments: StorageLayout.allCases, damages)
    func damagedAndFetched(layout: StorageLayout, sql: String) throws {
        try damage(layout, sql)
        let store = try SQLiteChunkStore(folder: folder.path)
        let cache = VideoCache(store: store)
        let part = ByteRange(from: 15_000, to: 45_000)
        let (served, result) = try cache.served(part, of: Self.url)
        #expect(served.elementsEqual(Self.bytes[15_000..<Int(result.served.end)]))
        try cache.readParts(in: ByteRange(from: 0, to: 50_000), of: Self.url) { offset, part in
            #expect(part.elementsEqual(Self.bytes[Int(offset)..<Int(offset) + part.count]))
        }
        #expect(try cache.percentCached(of: Self.url) ?? 0 <= 100)
        _ = try exports(cache)
        try fetch(into: store)
        #expect(try exports(cache))
        try cache.close()
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    @Test("eviction passes what is damaged", arguments: StorageLayout.allCases, damages)
    func damagedAndEvicted(layout: StorageLayout, sql: String) throws {
        try damage(layout, sql)
        let store = try SQLiteChunkStore(folder: folder.path, capacity: 25_000)
        let other = try store.anyVideo("other")
        do {
            try store.save(Array(Self.bytes[..<10_000]), at: 0, of: other)
        } catch CacheError.noRoom {
            // If the stored total is damaged, nothing can be evicted.
        }
        try fetchPart(store)
    }

    private func fetchPart(_ store: SQLiteChunkStore) throws {
        guard let video = try store.video(url: Self.url) else { return }
        _ = try store.mend(video)
        let (served, result) = try VideoCache(store: store)
            .served(ByteRange(from: 0, to: 50_000), of: Self.url)
        #expect(served.elementsEqual(Self.bytes[..<Int(result.served.end)]))
    }

    @Test("what was mended is said, with what was lost", arguments: StorageLayout.allCases)
    func said(layout: StorageLayout) throws {
        try damage(layout, "UPDATE chunk SET length = 9999 WHERE offset = 20000")
        let store = try SQLiteChunkStore(folder: folder.path)
        let lost = [ByteRange(from: 20_000, to: 30_000)]
        #expect(throws: CacheError.damaged(url: Self.url, dropped: lost)) {
            try VideoCache(store: store).export(Self.url, to: folder.file("out.mp4"))
        }
        let video = try #require(try store.video(url: Self.url))
        #expect(try store.mend(video) == nil, "mended once")
    }

    @Test("a row whose freshness was changed counts as absent", arguments: StorageLayout.allCases)
    func changedFreshness(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        _ = try store.store(
            ContentInformation(
                length: 5, acceptsRanges: true, freshness: Freshness(received: 1, lifetime: 2)),
            url: "v")
        #expect(try store.video(url: "v") != nil)
        try store.access {
            try $0.execute(sql: "UPDATE video SET freshness = replace(freshness, '2', '9')")
        }
        #expect(try store.video(url: "v") == nil)
    }
}
