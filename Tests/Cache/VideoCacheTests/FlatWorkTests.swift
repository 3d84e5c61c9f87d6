import GRDB
import GRDBSQLite
import Testing

@testable import VideoCache

/// In a cache of 64 times as many chunks the same work takes about as many of SQLite's steps.
///
/// Steps, not times, because they are the same on a busy machine. Noting the use of a chunk once
/// looked at all chunks before it, so that among 100,000 chunks each save after a read took up to
/// 10 ms.
@Suite struct FlatWorkTests {
    private static let sizes = [500, 32_000]

    /// A place in the middle of a cache of this many chunks of 10 bytes, 20 apart.
    private static func middle(_ chunks: Int) -> Int64 { Int64(chunks / 2 * 20) }

    enum Work: CaseIterable {
        case findVideo, findRange, findGap, readChunk, readInGap, readOn, save, use, discard, evict

        func run(_ store: SQLiteChunkStore, _ video: CachedVideo, at place: Int64) throws {
            switch self {
            case .findVideo: _ = try store.video(url: video.url)
            case .findRange: _ = try store.cachedRange(of: video, from: place)
            case .findGap: _ = try store.cachedRange(of: video, from: place + 15)
            case .readChunk: _ = try store.chunk(of: video, from: place + 5)
            case .readInGap: _ = try store.chunk(of: video, from: place + 15)
            case .readOn:
                var ahead = ChunksAhead()
                _ = try store.chunk(of: video, from: place, ahead: &ahead)
                _ = try store.chunk(of: video, from: place + 20, ahead: &ahead)
                _ = try store.chunk(of: video, from: place + 40, ahead: &ahead)
            case .save: _ = try store.save([1, 2], at: place + 12, of: video)
            case .use:
                store.noteUse(of: ByteRange(offset: place + 5, length: 30), in: video)
                _ = try store.save([1, 2], at: place + 12, of: video)
            case .discard: try store.discard(ByteRange(offset: place, length: 1), of: video)
            case .evict:
                try store.makeRoom(for: [ByteRange(offset: place + 12, length: 2)], of: video)
            }
        }
    }

    @Test(arguments: StorageLayout.allCases, Work.allCases)
    func workDoesNotGrowWithTheCache(layout: StorageLayout, work: Work) throws {
        let steps = try Self.sizes.map { chunks in
            try Self.steps(layout, chunks, capacity: work == .evict) { store, video in
                try work.run(store, video, at: Self.middle(chunks))
            }
        }
        #expect(Self.isFlat(steps), "\(work), \(layout.rawValue): \(steps)")
        #expect(steps[0] > 0)
    }

    /// The planted bugs: a lookup that walks back, and the former statement for noting a use.
    @Test(
        arguments: StorageLayout.allCases,
        [
            """
            SELECT offset FROM chunk WHERE video_id = :video AND offset <= :start
                AND offset + length > :start
            """,
            """
            UPDATE chunk_use SET used = (SELECT MAX(used) + 1 FROM chunk_use)
            WHERE video_id = :video AND offset < :start + 30 AND (offset >= :start OR offset = (
                SELECT MAX(offset) FROM chunk WHERE video_id = :video AND offset <= :start))
            """,
        ])
    func aLinearStatementIsCaught(layout: StorageLayout, sql: String) throws {
        let steps = try Self.sizes.map { chunks in
            try Self.steps(layout, chunks) { store, video in
                _ = try store.access { db in
                    try Row.fetchAll(
                        db, sql: sql,
                        arguments: ["video": video.id, "start": Self.middle(chunks) + 5])
                }
            }
        }
        #expect(!Self.isFlat(steps), "\(steps)")
    }

    /// Opening accesses as many database pages in both caches; a sum over all chunks accesses more.
    @Test(arguments: StorageLayout.allCases)
    func openingDoesNotGrowWithTheCache(layout: StorageLayout) throws {
        var opening: [Int] = []
        var summing: [Int] = []
        for chunks in Self.sizes {
            let folder = TemporaryFolder()
            try ManyChunks.fill(folder.path, layout: layout, chunks: chunks)
            let store = try SQLiteChunkStore(folder: folder.path, capacity: 1 << 40)
            opening.append(try Self.pages(of: store))
            _ = try store.access { db in
                try Int.fetchOne(db, sql: "SELECT SUM(length) FROM chunk")
            }
            summing.append(try Self.pages(of: store))
        }
        #expect(Self.isFlat(opening), "\(opening)")
        #expect(!Self.isFlat(summing), "\(summing)")
    }

    private static func isFlat(_ work: [Int]) -> Bool { work[1] <= 2 * work[0] + 20 }

    /// How many of SQLite's steps the work takes in a cache of this many chunks.
    private static func steps(
        _ layout: StorageLayout, _ chunks: Int, capacity: Bool = false,
        work: (SQLiteChunkStore, CachedVideo) throws -> Void
    ) throws -> Int {
        let folder = TemporaryFolder()
        try ManyChunks.fill(folder.path, layout: layout, chunks: chunks)
        let store = try SQLiteChunkStore(
            folder: folder.path, capacity: capacity ? Int64(chunks) * 10 : nil)
        let video = try #require(try store.video(url: ManyChunks.url))
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        defer { counter.deallocate() }
        try store.access { db in
            sqlite3_progress_handler(
                db.sqliteConnection, 1,
                {
                    $0?.assumingMemoryBound(to: Int.self).pointee += 1
                    return 0
                }, counter)
        }
        defer {
            try? store.access { db in sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
        }
        try work(store, video)
        return counter.pointee
    }

    /// How many pages the store's connection has accessed so far.
    private static func pages(of store: SQLiteChunkStore) throws -> Int {
        try store.access { db in
            [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, kind in
                var (now, most): (Int32, Int32) = (0, 0)
                sqlite3_db_status(db.sqliteConnection, kind, &now, &most, 0)
                return sum + Int(now)
            }
        }
    }
}
