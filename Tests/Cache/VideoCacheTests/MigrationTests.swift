import Foundation
import GRDB
import Glibc
import Testing
@testable import VideoCache

@Suite("A cache of version 1 is brought up to date, and loses nothing", .serialized)
struct MigrationTests {
    /// The tables as version 1 wrote them.
    private static let version1 = """
        PRAGMA page_size = 16384;
        PRAGMA journal_mode = WAL;
        CREATE TABLE video (
            id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE, length INTEGER,
            mime_type TEXT, accepts_ranges INTEGER NOT NULL, etag TEXT, last_modified TEXT);
        CREATE TABLE chunk (
            video_id INTEGER NOT NULL REFERENCES video(id) ON DELETE CASCADE,
            offset INTEGER NOT NULL, length INTEGER NOT NULL, checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL, PRIMARY KEY (video_id, offset));
        CREATE TABLE cached_range (
            video_id INTEGER NOT NULL REFERENCES video(id) ON DELETE CASCADE,
            offset INTEGER NOT NULL, length INTEGER NOT NULL,
            PRIMARY KEY (video_id, offset)) WITHOUT ROWID;
        PRAGMA user_version = 1;
        """
    private static let bytes = videoBytes(100)

    /// A cache of this many chunks, written from the video's end to its start.
    private func writeVersion1(into folder: String, chunks: Int) throws {
        let queue = try DatabaseQueue(path: folder + "/cache.sqlite")
        try queue.writeWithoutTransaction { try $0.execute(sql: Self.version1) }
        let checksum = Int64(bitPattern: Self.bytes.withUnsafeBytes(Checksum.xxh3))
        try queue.write { db in
            try db.execute(sql: "INSERT INTO video (url, accepts_ranges) VALUES ('old', 1)")
            for number in (0..<chunks).reversed() {
                try db.cachedStatement(sql: "INSERT INTO chunk VALUES (1, ?, 100, ?, ?)")
                    .execute(arguments: [number * 100, checksum, Data(Self.bytes)])
            }
            try db.execute(
                sql: "INSERT INTO cached_range VALUES (1, 0, ?)", arguments: [chunks * 100])
        }
        try queue.close()
    }

    @Test("its chunks are found, in the order in which they came, and shrinks when cleared")
    func migrated() throws {
        let folder = try TemporaryFolder()
        try writeVersion1(into: folder.path, chunks: 40)
        let look = try VideoCache(folder: folder.path, access: .readOnly)
        #expect(try look.totalCachedBytes() == 4000, "readable as it is")
        #expect(try look.served(ByteRange(offset: 0, length: 4000), of: "old").bytes.count == 4000)
        try look.store.close()
        let store = try SQLiteChunkStore(folder: folder.path, capacity: 2050)
        #expect(try CacheAudit(folder: folder.path, capacity: 2050).complaints == [])
        let video = try #require(try store.video(url: "old"))
        #expect(try store.ranges(of: video).ranges == [ByteRange(offset: 0, length: 2000)])
        let first = try #require(try store.chunk(of: video, from: 0))
        #expect(first.bytes == Self.bytes)
        try store.removeAll()
        let mode = try store.access { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") }
        #expect(mode == 2)
    }

    @Test("killed at any moment of it: all is there, as version 1 or as the latest")
    func killed() throws {
        let chunks = 20_000
        let original = try TemporaryFolder()
        try writeVersion1(into: original.path, chunks: chunks)
        var generator = SeededGenerator(state: 3)
        for _ in 0..<12 {
            let folder = try TemporaryFolder()
            try FileManager.default.copyItem(
                atPath: original.file("cache.sqlite"), toPath: folder.file("cache.sqlite"))
            let filler = try FillerProcess(
                folder: folder.path, layout: .rows, capacity: .max, seed: 1)
            usleep(UInt32.random(in: 0...200_000, using: &generator))
            try filler.killNow()
            let queue = try DatabaseQueue(path: folder.file("cache.sqlite"))
            let (version, tables) = try queue.read { db in
                (
                    try Int.fetchOne(db, sql: "PRAGMA user_version"),
                    try Int.fetchOne(
                        db, sql: "SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'chunk_%'")
                )
            }
            try queue.close()
            #expect(version == 1 && tables == 0 || version == 4 && tables == 5)
            let store = try SQLiteChunkStore(folder: folder.path)
            let video = try #require(try store.video(url: "old"))
            #expect(try store.chunkCount(of: video) == chunks)
            #expect(try CacheAudit(folder: folder.path).complaints == [])
        }
    }
}
