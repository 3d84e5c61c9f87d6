import Foundation
import GRDB
import Testing

@testable import VideoCache

/// One lost page of a chunk made SQLite refuse the whole export, which then never dropped the
/// chunk.
///
/// Every later fetch said that the video was complete.
@Suite("Pages that the disk has lost cost a chunk, and are never called complete (C5)")
struct DamagedDatabaseTests {
    let folder = TemporaryFolder()
    let bytes = videoBytes(600_000)
    let lost = ByteRange(offset: 200_000, length: 200_000)
    let url = "http://127.0.0.1/v"

    /// Three chunks of 200,000 bytes; a page of the middle one is zeros.
    init() throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: .rows)
        let video = try store.anyVideo(url, length: 600_000)
        try store.save(bytes, inChunksOf: 200_000, of: video)
        // Without the pointer map of auto-vacuum, which would find a chunk's pages without reading
        // them.
        try store.access { try $0.execute(sql: "PRAGMA auto_vacuum = NONE; VACUUM") }
        try VideoCache(store: store).close()
        let path = URL(fileURLWithPath: folder.file("cache.sqlite"))
        var file = try Data(contentsOf: path)
        let inside = try #require(file.range(of: Data(bytes[300_000..<300_016]))).lowerBound
        let size = StorageLayout.rows.index.pageSize
        let page = inside / size * size
        file.replaceSubrange(page..<page + size, with: Data(count: size))
        try file.write(to: path)
    }

    @Test("the chunk is skipped, the others are served")
    func skipped() throws {
        let cache = try VideoCache(folder: folder.path)
        var starts: [Int64] = []
        let damaged = try cache.readParts(in: ByteRange(offset: 0, length: 600_000), of: url) {
            offset, part in
            #expect(part.elementsEqual(bytes[Int(offset)..<Int(offset) + part.count]))
            starts.append(offset)
        }
        #expect(damaged == [lost])
        #expect(starts == [0, 400_000])
    }

    @Test("an export says what is damaged; afterwards the video is not complete any more")
    func export() throws {
        let store = try SQLiteChunkStore(folder: folder.path)
        let cache = VideoCache(store: store)
        #expect(throws: CacheError.damaged(url: url, dropped: [lost])) {
            try cache.export(url, to: folder.file("out.mp4"))
        }
        #expect(try cache.missingRanges(of: url) == [lost])
        // The save repairs the chunk if the database can delete it, and otherwise fails with a
        // clear error.
        let video = try #require(try cache.video(url))
        do {
            try store.save(Array(bytes[200_000..<400_000]), at: 200_000, of: video)
            try cache.export(url, to: folder.file("out.mp4"))
        } catch CacheError.notACache(_, let reason) {
            #expect(reason == "a damaged database")
            #expect(try cache.missingRanges(of: url) == [lost])
        }
    }

    @Test("a chunk that cannot even be deleted costs room, and fails no request (C6)")
    func evictedPast() throws {
        let capacity: Int64 = 600_000
        let store = try SQLiteChunkStore(folder: folder.path, capacity: capacity)
        let other = try store.anyVideo("other")
        for offset in [0, 200_000] as [Int64] {
            do {
                try store.save(Array(bytes[..<200_000]), at: offset, of: other)
            } catch CacheError.noRoom {
                // The damage may keep neighbouring chunks too; the writer continues without the
                // cache.
            }
            #expect(try store.cachedBytes() <= capacity)
        }
    }

    @Test("what is missing nowhere is not told as '0 bytes in 0 ranges ()'")
    func nothingMissing() {
        let text = CacheError.incomplete(url: url, missing: []).description
        #expect(!text.contains("()") && text.hasSuffix("; fetch again"))
    }
}
