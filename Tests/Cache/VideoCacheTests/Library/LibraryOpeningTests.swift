import Foundation
import GRDB
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// Which databases the library accepts, which it refuses, and what other programs read in it.
@Suite struct LibraryOpeningTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.file("library.sqlite") }

    @Test func otherProgramsReadItByTheDocumentedTables() throws {
        let store = try SQLiteVideoStore(folder: folder.path)
        let videos = libraryVideos(5)
        try store.replace(with: libraryVideos(7, seed: 2), timestamp: someTime - 1)
        try store.replace(with: videos, timestamp: someTime)
        try DatabaseQueue(path: path).read { db in
            #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 1)
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            let list = try #require(try Row.fetchOne(db, sql: "SELECT * FROM library"))
            #expect(Array(list.columnNames) == ["id", "timestamp"])
            #expect(list["id"] == 1)
            #expect(list["timestamp"] == 1_795_000_000.25)
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM library_video ORDER BY position")
            #expect(
                rows.first.map { Array($0.columnNames) } == [
                    "position", "id", "title", "description", "url", "thumbnail_url", "duration",
                ])
            #expect(rows.map { $0["position"] as Int } == Array(0..<5))
            #expect(rows.map { $0["id"] as String } == videos.map(\.id.uuidString))
            #expect(rows.map { $0["thumbnail_url"] as String? } == videos.map(\.thumbnailURL))
            #expect(rows.map { $0["duration"] as Double? } == videos.map(\.duration))
        }
    }

    /// A closed library used to report "out of memory; check the disk" when used again.
    @Test func whatIsClosedSaysSo() throws {
        let store = try SQLiteVideoStore(folder: folder.path)
        try store.close()
        #expect(throws: LibraryError.closed(path: path)) {
            try store.replace(with: libraryVideos(1), timestamp: someTime)
        }
        #expect(throws: LibraryError.closed(path: path)) { try store.retrieve() }
    }

    @Test(arguments: [CacheAccess.existing, .readOnly])
    func anAbsentLibraryIsNotCreated(access: CacheAccess) {
        #expect(throws: LibraryError.absent(folder: folder.file("none"))) {
            try SQLiteVideoStore(folder: folder.file("none"), access: access)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
    }

    @Test func aFolderIsCreatedWithThoseAboveIt() throws {
        let store = try SQLiteVideoStore(folder: folder.file("a/b/c"))
        try store.insert(libraryVideos(1), timestamp: someTime)
        try store.close()
        let again = try SQLiteVideoStore(folder: folder.file("a/b/c"), access: .readOnly)
        #expect(try again.retrieve()?.videos == libraryVideos(1))
        #expect(
            performing: { try again.deleteCachedVideos() },
            throws: { if case .files(.readOnly) = $0 as? LibraryError { true } else { false } })
    }

    /// What stands in the place of a library, and a word of what is said of it.
    enum Stranger: String, CaseIterable {
        case noDatabase = "(no database)"
        case anotherPrograms = "(another program's database)"
        case videoCache = "another program's database"
        case newerSchema = "newer than 1"
    }

    @Test(arguments: Stranger.allCases, [CacheAccess.readWrite, .existing, .readOnly])
    func whatIsNoLibraryIsLeftAsItIs(stranger: Stranger, access: CacheAccess) throws {
        switch stranger {
        case .noDatabase:
            try Data("my diary, which is not a database".utf8).write(to: URL(fileURLWithPath: path))
        case .anotherPrograms: try execute("CREATE TABLE recipe (id INTEGER)", inDatabase: path)
        case .videoCache:
            try VideoCache(folder: folder.path).close()
            try FileManager.default.moveItem(atPath: folder.file("cache.sqlite"), toPath: path)
        case .newerSchema:
            try SQLiteVideoStore(folder: folder.path).close()
            try execute("PRAGMA user_version = 2", inDatabase: path)
        }
        let before = FileManager.default.contents(atPath: path)
        #expect(
            performing: { try SQLiteVideoStore(folder: folder.path, access: access) },
            throws: { $0 is LibraryError && "\($0)".contains(stranger.rawValue) })
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test(arguments: [
        "UPDATE library_video SET id = 'x' WHERE position = 1",
        "DELETE FROM library_video WHERE position = 1",
        "UPDATE library_video SET title = x'FF' WHERE position = 0",
        "UPDATE library_video SET duration = 'long' WHERE position = 2",
    ])
    func aDamagedListIsNotShown(sql: String) throws {
        let store = try SQLiteVideoStore(folder: folder.path)
        try store.insert(libraryVideos(3), timestamp: someTime)
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: sql) }
        #expect(throws: LibraryError.notALibrary(path: path, reason: "a damaged list")) {
            try store.retrieve()
        }
        // Saving a new list repairs it.
        try store.replace(with: libraryVideos(2, seed: 2), timestamp: someTime)
        #expect(try store.retrieve()?.videos == libraryVideos(2, seed: 2))
    }

    /// Where the file system shares no memory between processes, every command ended with 74.
    ///
    /// The cache uses its database alone there, and the library did not (K12).
    @Test func aLibraryIsUsedAloneWhereNoMemoryIsShared() throws {
        let videos = libraryVideos(3)
        try RefusedCalls.whileUnshared(path + "-shm") {
            let store = try SQLiteVideoStore(folder: folder.path)
            try store.replace(with: videos, timestamp: someTime)
            try store.close()
            let look = try SQLiteVideoStore(folder: folder.path, access: .readOnly)
            #expect(try look.retrieve()?.videos == videos)
            try look.close()
            try SQLiteVideoStore.clear(inFolder: folder.path)
        }
        let store = try SQLiteVideoStore(folder: folder.path)
        #expect(try store.retrieve() == nil)
        // As a process elsewhere leaves it when it is killed, with a WAL and its index.
        try store.replace(with: videos, timestamp: someTime)
        let copy = TemporaryFolder()
        let killed = copy.file("killed")
        try FileManager.default.copyItem(atPath: folder.path, toPath: killed)
        try store.close()
        let before = try FileManager.default.contentsOfDirectory(atPath: killed).sorted()
        try RefusedCalls.whileUnshared(killed + "/library.sqlite-shm") {
            let look = try SQLiteVideoStore(folder: killed, access: .readOnly)
            #expect(try look.retrieve()?.videos == videos)
            try look.close()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: killed).sorted() == before)
    }

    @Test func twoConnectionsShareALibrary() throws {
        let (one, two) = (
            try SQLiteVideoStore(folder: folder.path), try SQLiteVideoStore(folder: folder.path)
        )
        try one.insert(libraryVideos(2), timestamp: someTime)
        #expect(try two.retrieve()?.videos == libraryVideos(2))
        try two.replace(with: libraryVideos(3, seed: 2), timestamp: someTime)
        #expect(try one.retrieve()?.videos == libraryVideos(3, seed: 2))
    }
}
