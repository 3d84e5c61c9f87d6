import Foundation
import GRDB
import Testing

@testable import VideoCache

@Suite("What cannot be opened is said in one line, and not harmed")
struct OpeningTests {
    let folder = TemporaryFolder()

    private var path: String { folder.file("cache.sqlite") }

    private func contents() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func expectRefusal(
        _ expected: (CacheError) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try contents()
        for access in [CacheAccess.readWrite, .existing, .readOnly] {
            let error = #expect(throws: CacheError.self, sourceLocation: sourceLocation) {
                try SQLiteChunkStore(folder: folder.path, access: access)
            }
            #expect(error.map(expected) == true, sourceLocation: sourceLocation)
            #expect(error?.description.contains("\n") == false, sourceLocation: sourceLocation)
        }
        #expect(try contents() == before, sourceLocation: sourceLocation)
    }

    @Test func aFileThatIsNoDatabase() throws {
        try Data(String(repeating: "my notes\n", count: 1000).utf8)
            .write(to: URL(fileURLWithPath: path))
        try expectRefusal { if case .notACache = $0 { true } else { false } }
    }

    @Test(arguments: [1, 3, 5]) func anotherSchema(version: Int) throws {
        let store = try SQLiteChunkStore(folder: folder.path)
        try store.access { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        try store.close()
        try expectRefusal { $0 == .otherSchema(path: path, found: version, supported: 4) }
        #expect(throws: Never.self) { try VideoCache.clear(nil, inFolder: folder.path) }
    }

    /// A library's database was once reported as a newer cache, because only version numbers were
    /// compared.
    @Test(arguments: [0, 1, 2, 7]) func anotherProgramsDatabase(version: Int) throws {
        let sql = "CREATE TABLE notes (text TEXT); PRAGMA user_version = \(version)"
        try execute(sql, inDatabase: path)
        try expectRefusal { if case .notACache = $0 { true } else { false } }
    }

    @Test func aFolderThatIsAFile() throws {
        let file = folder.file("file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        for path in [file, file + "/below"] {
            #expect(
                performing: { try SQLiteChunkStore(folder: path) },
                throws: { if case .cannotCreate? = $0 as? CacheError { true } else { false } })
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
    }

    @Test("asking never creates a cache", arguments: [CacheAccess.existing, .readOnly])
    func absent(access: CacheAccess) throws {
        let absent = folder.file("absent")
        #expect(throws: CacheError.absent(folder: absent)) {
            try VideoCache(folder: absent, access: access)
        }
        #expect(!FileManager.default.fileExists(atPath: absent))
    }

    /// A launch after a kill between the header of SQLite's log and its first page took ten seconds.
    ///
    /// The look at the two (``IndexAge``) reads the log without its index, if no other process uses
    /// them. SQLite then compared the header with one that it had not read, and tried again a hundred
    /// times. A power cut leaves such a log as well: one in twenty states of a young cache was one.
    @Test(arguments: StorageLayout.allCases)
    func aLogWithAHeaderAlone(layout: StorageLayout) throws {
        let killed = folder.file("killed")
        let store = try SQLiteChunkStore(folder: folder.file("cache"), layout: layout)
        try store.save(videoBytes(5000), at: 0, of: store.anyVideo())
        try store.close()
        // As it is before the next launch writes anything.
        try FileManager.default.copyItem(atPath: folder.file("cache"), toPath: killed)
        let again = try SQLiteChunkStore(folder: folder.file("cache"))
        try again.save(videoBytes(5000), at: 9000, of: again.anyVideo())
        for (name, length) in [("cache.sqlite-wal", 32), ("cache.sqlite-shm", 32 << 10)] {
            let file = URL(fileURLWithPath: folder.file("cache/\(name)"))
            try Data(contentsOf: file).prefix(length)
                .write(to: URL(fileURLWithPath: "\(killed)/\(name)"))
        }
        try again.close()
        let files = IndexFiles(killed + "/cache.sqlite")
        #expect(files.hasLogIndex && files.log?.size == 32)
        #expect(files.observed?.name == files.observedAsItIs, "nothing to wait for")
        for access in [CacheAccess.readOnly, .readWrite] {
            let relaunched = try SQLiteChunkStore(folder: killed, access: access)
            #expect(try relaunched.cachedBytes() == 5000)
            #expect(!relaunched.isInDoubt)
            try relaunched.close()
        }
    }

    /// A power cut may keep the name of SQLite's log and lose that of the database beside it: where
    /// neither was synced, POSIX promises neither.
    ///
    /// Each launch said that another process used the database, for ever.
    @Test(arguments: StorageLayout.allCases)
    func aLogWithoutItsDatabase(layout: StorageLayout) throws {
        let killed = folder.file("killed")
        let store = try SQLiteChunkStore(folder: folder.file("cache"), layout: layout)
        try store.save(videoBytes(5000), at: 0, of: store.anyVideo())
        try FileManager.default.copyItem(atPath: folder.file("cache"), toPath: killed)
        try store.close()
        try FileManager.default.removeItem(atPath: killed + "/cache.sqlite")
        #expect(IndexFiles(killed + "/cache.sqlite").log?.size ?? 0 > 32)
        let relaunched = try SQLiteChunkStore(folder: killed, layout: layout)
        #expect(try relaunched.cachedBytes() == 0)
        try relaunched.save(videoBytes(5000), at: 9000, of: relaunched.anyVideo())
        try relaunched.close()
        #expect(try CacheAudit(folder: killed).complaints == [])
    }
}
