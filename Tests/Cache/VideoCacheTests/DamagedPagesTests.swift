import Foundation
import GRDB
import Testing

@testable import VideoCache

/// A damaged row of the order of use hid other rows from every search.
///
/// Two of 10,000 damaged caches were fetched and called complete, but could never be exported: one
/// bit made a row of the table unreadable, and rows beside it could not be found by their keys.
/// REINDEX and VACUUM stop at such a row.
@Suite("A table with a row that cannot be read is written anew (C5)")
struct DamagedPagesTests {
    private static let url = "http://127.0.0.1/v"
    private static let bytes = videoBytes(50_000)

    private let folder = TemporaryFolder()

    private func fill(_ store: SQLiteChunkStore) throws {
        let information = ContentInformation(
            length: Int64(Self.bytes.count), mimeType: "video/mp4", acceptsRanges: true,
            etag: "\"a\"")
        let known = try store.video(url: Self.url)
        if let known { _ = try store.mend(known) }
        let video = try known ?? store.store(information, url: Self.url)
        for gap in try VideoCache(store: store).missingRanges(of: Self.url) {
            for offset in stride(from: gap.offset, to: gap.end, by: 5_000) {
                let end = min(offset + 5_000, gap.end)
                try store.save(Array(Self.bytes[Int(offset)..<Int(end)]), at: offset, of: video)
            }
        }
    }

    /// Makes a row unreadable, at a fraction of all: its first column gets a length that no row has.
    ///
    /// The table has no rowids, and one page (sqlite.org/fileformat2.html, 1.6 and 2.1).
    private func damageRow(of table: String, at part: Double) throws {
        let path = folder.file(SQLiteSchema.fileName)
        let (page, size): (Int, Int) = try {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { db in
                let root = try Int.fetchOne(
                    db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?",
                    arguments: [table])
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size")
                return (try #require(root), try #require(size))
            }
        }()
        var file = try Data(contentsOf: URL(fileURLWithPath: path))
        let start = (page - 1) * size
        #expect(file[start] == 0x0A, "a leaf of an index")
        let cells = Int(file[start + 3]) << 8 | Int(file[start + 4])
        let pointer = start + 8 + 2 * min(cells - 1, Int(part * Double(cells)))
        let cell = start + (Int(file[pointer]) << 8 | Int(file[pointer + 1]))
        // The type of the first column follows the sizes of the row and its header.
        file[cell + 2] = 0x7F
        try file.write(to: URL(fileURLWithPath: path))
    }

    /// A whole video with such a row, opened again.
    private func damaged(
        _ layout: StorageLayout, _ table: String, at part: Double
    ) throws -> SQLiteChunkStore {
        let first = try SQLiteChunkStore(folder: folder.path, layout: layout)
        try fill(first)
        try VideoCache(store: first).close()
        try damageRow(of: table, at: part)
        return try SQLiteChunkStore(folder: folder.path)
    }

    @Test(
        "what was fetched again can be exported, wherever the row lies",
        arguments: StorageLayout.allCases, [0, 0.5, 0.99])
    func damagedAndFetched(layout: StorageLayout, part: Double) throws {
        let store = try damaged(layout, "chunk_use", at: part)
        let cache = VideoCache(store: store)
        try fill(store)
        #expect(try cache.exported(Self.url) == Self.bytes)
        try cache.close()
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    /// No row before or after the damaged one is lost.
    @Test("only the chunk of that row is fetched again", arguments: StorageLayout.allCases)
    func neighboursAreKept(layout: StorageLayout) throws {
        let store = try damaged(layout, "chunk_use", at: 0.5)
        let video = try #require(try store.video(url: Self.url))
        #expect(try store.mend(video) == [ByteRange(from: 25_000, to: 30_000)])
        try store.close()
    }

    @Test("what cannot be written anew is said, and nothing is called complete")
    func beyondRepair() throws {
        let store = try damaged(.file, "chunk", at: 0.5)
        #expect(throws: CacheError.self) { try fill(store) }
        try store.close()
    }
}
