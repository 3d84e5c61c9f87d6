import Foundation
import GRDB
import Glibc
import Testing

@testable import VideoCache

/// A backup was restored over some of a cache's files.
///
/// An older database beside a newer WAL is a mixture of both, and SQLite notices nothing: a fetch
/// called the video complete, and the export found bytes missing. With the bytes in rows, each
/// command said for ever that the file was no cache.
@Suite("An older file of the same cache is noticed when the cache is opened (K14)")
struct RestoredFileTests {
    private static let piece = 50_000
    private let folder = TemporaryFolder()
    private let bytes = videoBytes(20 * piece)

    private var place: String { folder.file("cache") }

    private func save(_ pieces: Range<Int>, of url: String, in store: SQLiteChunkStore) throws {
        let video = try store.video(url: url) ?? store.anyVideo(url, length: Int64(bytes.count))
        for piece in pieces {
            let start = piece * Self.piece
            try store.save(Array(bytes[start..<start + Self.piece]), at: Int64(start), of: video)
        }
    }

    /// Leaves a closed cache of one video.
    private func leave(_ pieces: Range<Int> = 0..<20, _ layout: StorageLayout? = nil) throws {
        let store = try SQLiteChunkStore(folder: place, layout: layout)
        try save(pieces, of: "a", in: store)
        try store.close()
    }

    private func copy(_ name: String, from: String, to: String) throws {
        // In place, as `cp` does: the file stays the same for the system.
        let data = try #require(FileManager.default.contents(atPath: "\(from)/\(name)"))
        let file = try OpenFile("\(to)/\(name)", O_WRONLY | O_CREAT | O_TRUNC)
        try data.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// Everything that counts as cached can be read, and what is missing can be saved again.
    private func expectSound(_ layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: place, layout: layout)
        let cache = VideoCache(store: store)
        for video in try cache.videos() {
            _ = try store.mend(video)
            for range in try cache.cachedRanges(of: video.url).ranges {
                let served = try cache.served(range, of: video.url)
                #expect(served.bytes == Array(bytes[Int(range.offset)..<Int(range.end)]))
                #expect(served.result.damaged == [])
            }
            try save(0..<20, of: video.url, in: store)
            #expect(try cache.exported(video.url) == bytes)
        }
        try cache.close()
        #expect(try CacheAudit(folder: place).complaints == [])
        try VideoCache.clear(nil, inFolder: place)
        #expect(try VideoCache(folder: place).videos().isEmpty)
    }

    /// Leaves a cache as it was when its process was killed, and one of an earlier time.
    private func makeTwo(
        _ layout: StorageLayout, isBackupClosed: Bool
    ) throws -> (backup: String, killed: String) {
        let living = folder.file("living")
        var store = try SQLiteChunkStore(folder: living, layout: layout)
        try save(0..<6, of: "a", in: store)
        if isBackupClosed { try store.close() } else { try store.checkpoint() }
        let backup = folder.file("backup")
        try FileManager.default.copyItem(atPath: living, toPath: backup)
        if isBackupClosed { store = try SQLiteChunkStore(folder: living) }
        try save(6..<12, of: "a", in: store)
        try save(0..<4, of: "b", in: store)
        try store.checkpoint()
        try save(12..<16, of: "a", in: store)
        try FileManager.default.copyItem(atPath: living, toPath: place)
        return (backup, place)
    }

    enum Restored: String, CaseIterable {
        case database = "cache.sqlite"
        case data = "data/1"
        case both = "cache.sqlite data/1"
        case journal = "data/journal"
        case log = "cache.sqlite-wal"
        case index = "cache.sqlite cache.sqlite-wal"
    }

    @Test(
        "a file of a backup, made while the cache was closed or open",
        arguments: StorageLayout.allCases.flatMap { layout in
            [true, false].map { (layout: layout, isClosed: $0) }
        }, Restored.allCases)
    func anOlderFile(cache: (layout: StorageLayout, isClosed: Bool), restored: Restored) throws {
        let (backup, killed) = try makeTwo(cache.layout, isBackupClosed: cache.isClosed)
        for name in restored.rawValue.split(separator: " ").map(String.init)
        where FileManager.default.fileExists(atPath: "\(backup)/\(name)") {
            try copy(name, from: backup, to: killed)
        }
        try expectSound(cache.layout)
    }

    @Test(
        "an index from before the last fetch, closed both times", arguments: StorageLayout.allCases)
    func anOlderClosedIndex(layout: StorageLayout) throws {
        try leave(0..<6, layout)
        try FileManager.default.copyItem(atPath: place, toPath: folder.file("backup"))
        let store = try SQLiteChunkStore(folder: place)
        // What the older index counts as cached is gone.
        try store.discard(ByteRange(offset: 0, length: 3), of: #require(try store.video(url: "a")))
        try save(6..<9, of: "a", in: store)
        try store.close()
        try copy("cache.sqlite", from: folder.file("backup"), to: place)
        let older = try SQLiteChunkStore(folder: place)
        let video = try #require(try older.video(url: "a"))
        if layout == .file {
            let first = ByteRange(offset: 0, length: Int64(Self.piece))
            #expect(try !older.ranges(of: video).ranges.contains { $0.overlaps(first) })
        }
        try older.close()
        try expectSound(layout)
    }

    @Test("a launch after a kill or a close sees one time", arguments: StorageLayout.allCases)
    func oneTime(layout: StorageLayout) throws {
        let store = try SQLiteChunkStore(folder: place, layout: layout)
        for round in 0..<3 {
            try save(round * 3..<round * 3 + 3, of: "a", in: store)
            _ = try store.anyVideo("other \(round)")
            if round == 1 { try store.checkpoint() }
            let copy = folder.file("copy \(round)")
            try FileManager.default.copyItem(atPath: place, toPath: copy)
            #expect(try IndexAge.verdict(copy + "/cache.sqlite") == .one)
            #expect(try IndexAge.verdict(store.path) == .one)
            let second = try SQLiteChunkStore(folder: place)
            #expect(!second.isInDoubt)
            #expect(try second.isVerified())
        }
    }

    /// While a log could not be read, it was taken for one of another time and removed.
    ///
    /// All that had been saved since the last checkpoint was gone, although the error passed (B5).
    @Test(arguments: StorageLayout.allCases)
    func aLogThatCannotBeReadStays(layout: StorageLayout) throws {
        let (_, killed) = try makeTwo(layout, isBackupClosed: true)
        let log = killed + "/cache.sqlite-wal"
        let before = FileManager.default.contents(atPath: log)
        RefusedCalls.whileUnreadable(log) {
            let error = #expect(throws: CacheError.self) { try SQLiteChunkStore(folder: killed) }
            #expect(error.map { if case .inputOutput = $0 { true } else { false } } == true)
        }
        #expect(FileManager.default.contents(atPath: log) == before)
        let store = try SQLiteChunkStore(folder: killed)
        #expect(try store.cachedBytes() == Int64(20 * Self.piece))
        try store.close()
        try expectSound(layout)
    }

    /// A process that uses the database alone has no WAL index, which would show that it writes.
    ///
    /// A look removed its WAL, if that had no whole commit yet.
    @Test func aLookLeavesALogWithoutACommit() throws {
        let (_, killed) = try makeTwo(.file, isBackupClosed: true)
        let path = killed + "/cache.sqlite"
        try FileManager.default.removeItem(atPath: path + "-shm")
        // Its header, and the beginning of the first page.
        let log = try OpenFile(path + "-wal", O_RDWR)
        try log.truncate(to: 132)
        _ = try IndexAge.verdict(path)
        #expect(IndexFiles(path).log?.size == 132)
    }

    /// What is damaged beyond repair can be emptied, and begun anew; another program's file stays.
    @Test(arguments: StorageLayout.allCases, [3, 20])
    func beyondRepair(layout: StorageLayout, pages: Int) throws {
        try leave(0..<20, layout)
        let file = try OpenFile(place + "/cache.sqlite", O_RDWR)
        let junk = videoBytes(1000, seed: 9)
        for page in 0..<pages {
            try junk.withUnsafeBytes { try file.write($0, at: Int64(200 + page * 1024)) }
        }
        try VideoCache.clear(nil, inFolder: place)
        let anew = try VideoCache(folder: place)
        #expect(try anew.videos().isEmpty)
        #expect(try anew.totalCachedBytes() == 0)
        try anew.close()
    }

    /// A folder where a file is expected is no reason to refuse the cache, unless something is in it.
    @Test(
        arguments: StorageLayout.allCases,
        ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "data/journal", "data/1"])
    func anEmptyFolderInTheWay(layout: StorageLayout, name: String) throws {
        try leave(0..<20, layout)
        let path = "\(place)/\(name)"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let store = try SQLiteChunkStore(folder: place, layout: layout)
        try save(0..<20, of: "a", in: store)
        #expect(try VideoCache(store: store).exported("a") == bytes)
        try store.close()
        try VideoCache.clear(nil, inFolder: place)
    }

    /// Something of another program in the place of the cache's own made every command end with 74.
    @Test(arguments: ["data", "data/1", "data/journal"])
    func whatIsInTheWayIsPutAside(name: String) throws {
        try leave(0..<20, .file)
        let path = "\(place)/\(name)"
        for round in 1...2 {
            try FileManager.default.removeItem(atPath: path)
            let mine = name == "data" ? "" : "/notes"
            if name != "data" {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false)
            }
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path + mine))
            let store = try SQLiteChunkStore(folder: place)
            try save(0..<20, of: "a", in: store)
            #expect(try VideoCache(store: store).exported("a") == bytes)
            try store.close()
            #expect(
                FileManager.default.contents(atPath: "\(path).aside\(round)\(mine)")
                    == Data("mine".utf8))
        }
        try VideoCache.clear(nil, inFolder: place)
        #expect(try VideoCache(folder: place).videos().isEmpty)
    }

    /// Without its database, a cache's folder kept all its bytes: `clear --all` ended with 66.
    @Test(arguments: [true, false])
    func aFolderWithoutItsDatabaseIsEmptied(hasJournal: Bool) throws {
        try leave(0..<20, .file)
        try FileManager.default.removeItem(atPath: place + "/cache.sqlite")
        guard hasJournal else {
            // What is left may be another program's.
            try FileManager.default.removeItem(atPath: place + "/data/journal")
            #expect(throws: CacheError.absent(folder: place)) {
                try VideoCache.clear(nil, inFolder: place)
            }
            #expect(FileManager.default.contents(atPath: place + "/data/1") == Data(bytes))
            return
        }
        try VideoCache.clear(nil, inFolder: place)
        let left = try FileManager.default.contentsOfDirectory(atPath: place + "/data")
        #expect(left == ["journal"])
        try leave()
        try expectSound(.file)
    }

    @Test func aFolderWithAFileInTheWayStays() throws {
        try leave(0..<2)
        let path = place + "/cache.sqlite-shm"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/notes"))
        _ = try? SQLiteChunkStore(folder: place)
        _ = try? VideoCache.clear(nil, inFolder: place)
        #expect(FileManager.default.contents(atPath: path + "/notes") == Data("mine".utf8))
    }

    @Test(arguments: ["my notes\n", "SQLite format 3\0 but of another program"])
    func whatIsNotTheCachesStays(text: String) throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let data = Data(String(repeating: text, count: 100).utf8)
        try data.write(to: URL(fileURLWithPath: place + "/cache.sqlite"))
        #expect(throws: CacheError.self) { try VideoCache.clear(nil, inFolder: place) }
        #expect(throws: CacheError.self) { try VideoCache.startOver(inFolder: place) }
        #expect(FileManager.default.contents(atPath: place + "/cache.sqlite") == data)
    }

    @Test func anotherProgramsDatabaseStays() throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let sql = """
            PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT);
            PRAGMA user_version = 3; INSERT INTO notes VALUES ('mine');
            """
        try execute(sql, inDatabase: place + "/cache.sqlite")
        #expect(throws: CacheError.self) { try VideoCache.clear(nil, inFolder: place) }
        let again = try DatabaseQueue(path: place + "/cache.sqlite")
        #expect(try again.read { try String.fetchOne($0, sql: "SELECT text FROM notes") } == "mine")
    }
}
