import CXXHash
import Fixture
import Foundation
import GRDB
import RigModel
import RigProfiles
import Testing

@testable import RigLab

/// The autopsy's own SQL, against databases that the test writes itself.
struct StateInspectorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let video = BytesVideo.pattern(700_000)
    private let url = "http://127.0.0.1/video.mp4"

    /// Writes a state with chunks at their offsets; `damage` may change the stored bytes.
    private func makeState(
        in other: TemporaryFolder? = nil, offsets: [(Int, Int)], claimed: [(Int, Int)],
        damage: (inout [UInt8], Int) -> Void = { _, _ in }, shift: Int = 0
    ) throws {
        let queue = try DatabaseQueue(path: (other ?? folder).file("cache.sqlite"))
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE video (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE);
                    CREATE TABLE chunk (video_id INTEGER, offset INTEGER, length INTEGER,
                        checksum INTEGER, bytes BLOB, PRIMARY KEY (video_id, offset));
                    CREATE TABLE cached_range (video_id INTEGER, offset INTEGER, length INTEGER);
                    """)
            try database.execute(
                sql: "INSERT INTO video VALUES (1, ?), (2, 'http://127.0.0.1/other')",
                arguments: [url])
            for (offset, length) in offsets {
                var bytes = Array(video.bytes[offset..<offset + length])
                let checksum = XXH3_64bits(bytes, bytes.count)
                damage(&bytes, offset)
                try database.execute(
                    sql: "INSERT INTO chunk VALUES (1, ?, ?, ?, ?)",
                    arguments: [offset + shift, length, Int64(bitPattern: checksum), Data(bytes)])
            }
            for (offset, length) in claimed {
                try database.execute(
                    sql: "INSERT INTO cached_range VALUES (1, ?, ?)", arguments: [offset, length])
            }
            // Another video's chunk must be ignored.
            try database.execute(sql: "INSERT INTO chunk VALUES (2, 0, 1, 0, x'00')")
        }
        try queue.close()
    }

    private func inspect(_ copy: String? = nil) throws -> Autopsy {
        try inspect(copy, by: WorkerProfile.referenceInspection)
    }

    private func inspect(
        _ copy: String?, by inspection: WorkerProfile.Inspection
    ) throws -> Autopsy {
        try StateInspector(inspection: inspection, space: PositionSpace([(url, video)]))
            .inspect(CopiedState(folder: copy ?? folder.path))
    }

    @Test func soundChunksAreRecoveredWhereTheyLie() throws {
        try makeState(
            offsets: [(0, 13_194), (65_536, 195_222), (400_000, 300_000)],
            claimed: [(0, 13_194), (65_536, 195_222), (400_000, 300_000)])
        let autopsy = try inspect()
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.ranges == [0..<13_194, 65_536..<260_758, 400_000..<700_000])
        #expect(autopsy.claimedRanges == autopsy.recovered)
        #expect(autopsy.corruptBytes == 0)
        #expect(autopsy.firstDifference == nil)
    }

    @Test func aByteFlippedAfterItsChecksumIsSeenTwice() throws {
        try makeState(
            offsets: [(0, 300_000), (300_000, 300_000)], claimed: [(0, 600_000)],
            damage: { bytes, offset in if offset == 300_000 { bytes[777] ^= 1 } })
        let autopsy = try inspect()
        #expect(autopsy.recovered.ranges == [0..<300_000])
        #expect(autopsy.chunks.map(\.checksumMatches) == [true, false])
        #expect(autopsy.corruptBytes == 1)
        let difference = try #require(autopsy.firstDifference)
        #expect(difference.offset == 300_777)
        #expect(difference.found[0] == difference.expected[0] ^ 1)
    }

    @Test func aChunkAtAWrongOffsetIsCorruptThoughItsChecksumIsRight() throws {
        try makeState(offsets: [(5_000, 1_000)], claimed: [(5_001, 1_000)], shift: 1)
        let autopsy = try inspect()
        #expect(autopsy.chunks.map(\.checksumMatches) == [true])
        #expect(autopsy.corruptBytes > 900)
        #expect(autopsy.firstDifference?.diagnosis == "bytes shifted by 1")
        #expect(autopsy.recovered.isEmpty)
    }

    @Test func bytesPastTheVideosEndAreCorrupt() throws {
        try makeState(offsets: [(699_000, 1_000)], claimed: [], shift: 10)
        #expect(try inspect().corruptBytes >= 10)
    }

    /// A power cut may leave a new file's length without its data.
    @Test(arguments: [nil, Data(), Data(count: 16384)])
    func noDatabaseAndAnEmptyOneHoldNothing(content: Data?) throws {
        try content?.write(to: URL(fileURLWithPath: folder.file("cache.sqlite")))
        let autopsy = try inspect()
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.chunks.isEmpty)
    }

    @Test func aFileThatIsNoDatabaseIsAFinding() throws {
        try Data(repeating: 7, count: 20_000)
            .write(to: URL(fileURLWithPath: folder.file("cache.sqlite")))
        #expect(try inspect().integrityCheck != "ok")
    }

    /// A worker may have stored any values, and they must not crash the judge.
    ///
    /// A range of length -3, or an offset that is NULL, text or too large to add a length to,
    /// crashed the rig, and the run had no summary.
    @Test(arguments: [
        "UPDATE cached_range SET length = -3", "UPDATE cached_range SET offset = NULL",
        "UPDATE chunk SET offset = 9223372036854775807", "UPDATE chunk SET offset = -1",
        "INSERT INTO chunk VALUES (1, NULL, 1, 0, x'00')", "UPDATE chunk SET bytes = NULL",
        "INSERT INTO chunk VALUES (1, 'abc', 1, 0, x'00')", "UPDATE chunk SET checksum = 'x'",
    ])
    func whatCannotBeIsAFinding(sql: String) throws {
        try makeState(offsets: [(0, 1_000)], claimed: [(0, 1_000)])
        try folder.change(sql)
        #expect(try inspect().integrityCheck != "ok")
    }

    @Test func aDamagedPageIsAFinding() throws {
        try makeState(offsets: [(0, 300_000)], claimed: [(0, 300_000)])
        let file = URL(fileURLWithPath: folder.file("cache.sqlite"))
        var bytes = try Data(contentsOf: file)
        // The second page holds a table's root; its header is now invalid.
        bytes.replaceSubrange(4096..<4196, with: Data(repeating: 0xFF, count: 100))
        try bytes.write(to: file)
        #expect(try inspect().integrityCheck != "ok")
    }

    // MARK: Other workers' databases

    /// Another worker's query: no checksum, no table of ranges, no `:url`, and its own path.
    private func inspectBare(database: String) throws -> Autopsy {
        let bare = WorkerProfile.Inspection(
            database: database,
            chunks: "SELECT offset, bytes FROM chunk WHERE video_id = 1 ORDER BY offset")
        return try inspect(nil, by: bare)
    }

    @Test(arguments: ["cache.sqlite", "{dir}/cache.sqlite"])
    func withoutChecksumsAndRangesTheChunksAreTheClaim(database: String) throws {
        try makeState(offsets: [(0, 1_000), (5_000, 2_000)], claimed: [])
        let autopsy = try inspectBare(database: database)
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.ranges == [0..<1_000, 5_000..<7_000])
        #expect(autopsy.claimedRanges == autopsy.recovered)
        #expect(autopsy.chunks.map(\.checksumMatches) == [nil, nil])
    }

    /// Only the video's bytes reveal the error: the cache would serve the chunk to a reader.
    @Test func withoutChecksumsAWrongByteIsUndetected() throws {
        try makeState(
            offsets: [(0, 1_000), (5_000, 2_000)], claimed: [],
            damage: { bytes, offset in if offset == 5_000 { bytes[7] ^= 1 } })
        let autopsy = try inspectBare(database: "cache.sqlite")
        #expect(autopsy.recovered.ranges == [0..<1_000])
        #expect(autopsy.corruptBytes == 1)
        #expect(autopsy.undetectedBytes == 1)
        // With the stored checksum, the same byte is merely lost under a power cut.
        #expect(try inspect().undetectedBytes == 0)
    }

    @Test func aChecksumThatIsPromisedAndMissingIsAFinding() throws {
        try makeState(offsets: [(0, 1_000)], claimed: [(0, 1_000)])
        try folder.change("UPDATE chunk SET checksum = NULL")
        #expect(try inspect().integrityCheck != "ok")
    }

    /// Opening a database runs its recovery.
    ///
    /// The copy must stay as the kill left it, because it is the evidence of a failed row.
    @Test func lookingLeavesTheEvidenceAsItWas() throws {
        let living = try TemporaryFolder()
        let queue = try DatabaseQueue(path: living.file("cache.sqlite"))
        // A second connection keeps the WAL, as a killed worker leaves it behind.
        try queue.inDatabase {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE other (id INTEGER)")
        }
        try makeState(in: living, offsets: [(0, 300_000)], claimed: [(0, 300_000)])
        let copy = try TemporaryFolder()
        try StateCopy.copy(from: living.path, to: copy.file("copy"))
        try queue.close()
        let names = ["cache.sqlite", "cache.sqlite-wal"]
        let before = try names.map {
            try Data(contentsOf: URL(fileURLWithPath: copy.file("copy/\($0)")))
        }
        #expect(try inspect(copy.file("copy")).recovered.count == 300_000)
        let after = try names.map {
            try Data(contentsOf: URL(fileURLWithPath: copy.file("copy/\($0)")))
        }
        #expect(before == after)
    }

    /// A kill during a transaction with a rollback journal.
    ///
    /// The database cannot be read without rolling back, and the copy must stay as the kill left
    /// it.
    @Test func aTransactionThatItsJournalTakesBackWasNeverThere() throws {
        try makeState(offsets: [(0, 300_000)], claimed: [(0, 300_000)])
        let database = folder.file("cache.sqlite")
        let copy = folder.file("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction { db in
            // With a cache of one page, the database is written to before the commit.
            try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; DELETE FROM cached_range")
            try db.execute(sql: "UPDATE chunk SET bytes = zeroblob(300000) WHERE video_id = 1")
            for name in ["cache.sqlite", "cache.sqlite-journal"] {
                try FileManager.default.copyItem(
                    atPath: folder.file(name), toPath: "\(copy)/\(name)")
            }
            try db.execute(sql: "ROLLBACK")
        }
        var readOnly = Configuration()
        readOnly.readonly = true
        #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: "\(copy)/cache.sqlite", configuration: readOnly).read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM chunk")
            }
        }
        let names = ["cache.sqlite", "cache.sqlite-journal"]
        let before = names.map { FileManager.default.contents(atPath: "\(copy)/\($0)") }
        let autopsy = try inspect(copy)
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.ranges == [0..<300_000])
        #expect(autopsy.claimedRanges.ranges == [0..<300_000])
        #expect(names.map { FileManager.default.contents(atPath: "\(copy)/\($0)") } == before)
        #expect(try HotJournal.settled("\(copy)/cache.sqlite").mayWrite)
    }

    /// A power cut while the database was created left a hot journal, which could not be read.
    @Test func aStateWhoseCreationWasInterruptedHoldsNothing() throws {
        // It is rolled back in a folder beside its own.
        let state = folder.file("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try Data(count: 4096).write(to: URL(fileURLWithPath: "\(state)/cache.sqlite"))
        // The rollback journal of a database that had no page consists of its header alone.
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let counts: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0]
        let head = magic + counts + [0, 0, 0x10, 0]
        try Data(head + [UInt8](repeating: 0, count: 512 - head.count))
            .write(to: URL(fileURLWithPath: "\(state)/cache.sqlite-journal"))
        let autopsy = try inspect(state)
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.isEmpty)
    }

    @Test func withoutAJournalTheCopyItselfIsRead() throws {
        let settled = try HotJournal.settled("/nowhere/cache.sqlite")
        #expect(settled.path == "/nowhere/cache.sqlite")
        #expect(!settled.mayWrite)
    }
}

extension WorkerProfile {
    /// The inspection of the reference worker's state.
    static var referenceInspection: Inspection {
        get throws { try #require(Workers.named(referenceName).inspection?.database) }
    }
}

extension TemporaryFolder {
    /// Changes the database of the state that the folder is.
    func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: file("cache.sqlite"))
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
