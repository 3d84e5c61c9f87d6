import Foundation
import GRDB
import RigLab
import RigModel
import StorageModel
import SyscallTracer
import TestSupport
import Testing

/// SQLite under the failure model for which its authors call it safe.
///
/// What was committed with `synchronous = FULL` survives every image, and without syncs
/// some image loses it. This tests the model, too: one that tears what a disk does not tear
/// would report errors in SQLite.
@Suite struct RecordedDatabaseTests {
    private let place = Workplace()

    private static let commits = 12
    private static let images = Nightly.rounds(120, nightly: 200)

    /// A recorded database that a real SQLite has written, and when each commit returned.
    private struct Recording {
        let log: StorageLog
        /// How many operations had begun when the commit with this number returned.
        var commitEnds: [Int] = []

        /// How many commits had returned by then.
        func committed(by cut: Int) -> Int { commitEnds.count { $0 <= cut } }
    }

    /// Runs the system's `sqlite3`, which reports each commit in a separate file.
    private func record(
        synchronous: String = "FULL", journal: String = "WAL", parameter: String = "psow=1"
    ) async throws -> Recording {
        let state = place.path("state")
        try place.makeFolder("state")
        let inserts = (1...Self.commits).map { number in
            // A commit larger than a page and a smaller one; a file reports that it has returned.
            """
            INSERT INTO entry VALUES (\(number), randomblob(\(number % 3 == 0 ? 20000 : 100)));
            .output \(state)/told-\(number)
            SELECT 1;
            .output
            """ + (number == Self.commits / 2 ? "\nPRAGMA wal_checkpoint;" : "")
        }
        let script = """
            PRAGMA journal_mode = \(journal);
            PRAGMA synchronous = \(synchronous);
            PRAGMA wal_autocheckpoint = 0;
            CREATE TABLE entry (number INTEGER PRIMARY KEY, bytes BLOB);
            \(inserts.joined(separator: "\n"))
            """
        try script.save(as: "script", in: place)
        let outcome = try await rig(
            "trace", "--under", state, "--record", place.path("log"), "--report",
            place.path("report"), "--", "sqlite3", "-bail",
            "file:\(state)/db.sqlite?\(parameter)", ".read \(place.path("script"))", in: place)
        try #require(outcome.exitCode == 0, "\(outcome.complaint)")
        let log = try StorageLog(path: place.path("log"))
        var recording = Recording(log: log)
        for (index, operation) in log.operations.enumerated() {
            if case .create(let path, _) = operation.kind, path.hasPrefix("told-") {
                recording.commitEnds.append(index)
            }
        }
        try #require(recording.commitEnds.count == Self.commits)
        return recording
    }

    private struct Found {
        var lost = 0
        var damaged: [String] = []
    }

    /// Examines images of all syncs and of moments in between.
    private func examine(_ recording: Recording, on disk: DiskModel = .ext4) throws -> Found {
        let target = place.path("image")
        try place.makeFolder("image")
        let moments =
            Self.syncPoints(of: recording.log)
            + stride(from: 0, to: recording.log.operations.count, by: 7)
        var found = Found()
        for index in 0..<Self.images {
            // Spread over all moments, some with several seeds.
            let cut = moments[index * max(moments.count, 97) / Self.images % moments.count]
            let seed = UInt64(index)
            try CrashImage(of: recording.log, cut: cut, on: disk, seed: seed)
                .replace(folder: target)
            do {
                let rows = try rows(inDatabase: "\(target)/db.sqlite")
                if rows < recording.committed(by: cut) { found.lost += 1 }
            } catch {
                found.damaged.append("cut \(cut), seed \(seed): \(error)")
            }
        }
        return found
    }

    /// The cuts right before and right after each sync: between two nothing becomes certain.
    private static func syncPoints(of log: StorageLog) -> [Int] {
        let syncs = log.operations.indices.filter { index in
            switch log.operations[index].kind {
            case .syncFile, .syncRange, .syncDirectory, .syncAll, .syncFailed: true
            default: false
            }
        }
        return Set(syncs.flatMap { [$0, $0 + 1] } + [log.operations.count]).sorted()
    }

    private struct Damage: Error { let text: String }

    /// How many commits are there; they must be the first ones.
    private func rows(inDatabase path: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            let check = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            guard check == ["ok"] else { throw Damage(text: check.joined()) }
            guard try db.tableExists("entry") else { return 0 }
            let numbers = try Int.fetchAll(db, sql: "SELECT number FROM entry ORDER BY number")
            guard numbers == Array(1...Self.commits).prefix(numbers.count).map({ $0 }) else {
                throw Damage(text: "\(numbers)")
            }
            return numbers.count
        }
    }

    /// How SQLite writes, on which disk, and what becomes of its commits.
    struct Case: Sendable, CustomTestStringConvertible {
        let synchronous: String
        var journal = "WAL"
        var parameter = "psow=1"
        var disk = DiskModel.ext4
        let isLost: Bool

        var testDescription: String { "\(journal) \(synchronous) \(parameter) \(disk)" }
    }

    static let cases = [
        Case(synchronous: "FULL", isLost: false),
        Case(synchronous: "FULL", journal: "TRUNCATE", isLost: false),
        Case(synchronous: "EXTRA", journal: "DELETE", isLost: false),
        Case(synchronous: "FULL", disk: .xfs, isLost: false),
        Case(synchronous: "FULL", disk: .btrfs, isLost: false),
        Case(synchronous: "FULL", disk: .posix, isLost: false),
        // SQLite's documentation of "powersafe overwrite" (sqlite.org/psow.html): a disk without it
        // may damage what lies in the same sector as a write. So the next commit's frames can take
        // the last one's along, unless SQLite is told so and fills up the sector.
        Case(synchronous: "FULL", disk: .garbage, isLost: true),
        Case(synchronous: "FULL", parameter: "psow=0", disk: .garbage, isLost: false),
        // Its documentation of `synchronous`: with a deleted journal, FULL does not sync the folder.
        // So after the commit a power cut may bring the journal back.
        Case(synchronous: "FULL", journal: "DELETE", isLost: true),
        // Only the checkpoint syncs: commits may be lost, but never torn.
        Case(synchronous: "NORMAL", isLost: true),
        Case(synchronous: "OFF", isLost: true),
    ]

    @Test(arguments: cases)
    func commitsThatWereSyncedSurvive(_ one: Case) async throws {
        let recording = try await record(
            synchronous: one.synchronous, journal: one.journal, parameter: one.parameter)
        let found = try examine(recording, on: one.disk)
        #expect((found.lost > 0) == one.isLost)
        if one.disk != .garbage && one.synchronous != "OFF" { #expect(found.damaged == []) }
    }

    /// The same log without its syncs.
    @Test func commitsOfWhichTheSyncsAreMissingAreLostInSomeImages() async throws {
        let recording = try await record()
        let unsynced = recording.log.operations.filter {
            if case .syncFile = $0.kind { false } else { true }
        }
        #expect(unsynced.count < recording.log.operations.count)
        let ends = recording.commitEnds.map { end in
            recording.log.operations[..<end].count {
                if case .syncFile = $0.kind { false } else { true }
            }
        }
        let found = try examine(Recording(log: StorageLog(operations: unsynced), commitEnds: ends))
        #expect(found.lost > 0)
    }
}
