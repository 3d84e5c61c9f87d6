import Foundation
import GRDB
import RigModel
import RigProfiles
import Testing

@testable import RigLab

/// A power cut while the database was created left it with a hot rollback journal.
///
/// The judge opened it read-only and could not read it, because SQLite has to roll back first.
struct HotJournalTests {
    /// A database as a power cut during a transaction leaves it.
    private func interrupted(in folder: TemporaryFolder, as name: String) throws -> String {
        let living = folder.file("living.sqlite")
        let queue = try DatabaseQueue(path: living)
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE kept (text TEXT)")
            try database.execute(sql: "INSERT INTO kept VALUES ('before')")
        }
        let copy = folder.file(name)
        try queue.writeWithoutTransaction { database in
            // Pages are written to the disk before the commit, and their old content to the
            // journal.
            try database.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
            try database.inTransaction {
                try database.execute(sql: "UPDATE kept SET text = 'after'")
                try database.execute(sql: "CREATE TABLE filler (bytes BLOB)")
                for _ in 1...50 {
                    try database.execute(sql: "INSERT INTO filler VALUES (randomblob(5000))")
                }
                for suffix in ["", "-journal"] {
                    try FileManager.default.copyItem(atPath: living + suffix, toPath: copy + suffix)
                }
                return .rollback
            }
        }
        try queue.close()
        return copy
    }

    @Test func itIsRolledBackOnACopyOfItsOwn() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("state"), withIntermediateDirectories: true)
        let path = try interrupted(in: folder, as: "state/cache.sqlite")
        let before = FileManager.default.contents(atPath: path)
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: path, configuration: configuration).read { database in
                try String.fetchAll(database, sql: "SELECT text FROM kept")
            }
        }
        let settled = try HotJournal.settled(path)
        #expect(settled.mayWrite)
        let texts = try DatabaseQueue(path: settled.path).read { database in
            try String.fetchAll(database, sql: "SELECT text FROM kept")
        }
        #expect(texts == ["before"])
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(FileManager.default.fileExists(atPath: "\(path)-journal"))
    }

    @Test func aStateWhoseCreationWasInterruptedHoldsNothing() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("state"), withIntermediateDirectories: true)
        // The rollback journal of a database that had no page consists of its header alone.
        try Data(count: 4096).write(to: URL(fileURLWithPath: folder.file("state/cache.sqlite")))
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let counts: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0]
        let head = magic + counts + [0, 0, 0x10, 0]
        try Data(head + [UInt8](repeating: 0, count: 512 - head.count))
            .write(to: URL(fileURLWithPath: folder.file("state/cache.sqlite-journal")))
        let inspection = try #require(
            Workers.named(WorkerProfile.referenceName).inspection?.database)
        let autopsy = try StateInspector(
            inspection: inspection, video: BytesVideo.pattern(100), url: "http://127.0.0.1/video"
        ).inspect(copy: folder.file("state"))
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.isEmpty)
    }

    @Test func withoutAJournalTheCopyItselfIsRead() throws {
        let settled = try HotJournal.settled("/nowhere/cache.sqlite")
        #expect(settled.path == "/nowhere/cache.sqlite")
        #expect(!settled.mayWrite)
    }
}
