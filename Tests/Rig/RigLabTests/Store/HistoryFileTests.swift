import Foundation
import GRDB
import Glibc
import RigModel
import TestSupport
import Testing

@testable import RigLab

/// A history keeps what was added to it, whatever file, writer or disk comes in between.
@Suite struct HistoryFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("history") }

    private func history(_ name: String = "history") throws -> HistoryFile {
        try HistoryFile(folder.file(name), creates: true)
    }

    private static let job = HistoryJob([.init(name: "worker", value: "downloader")])

    private static func entry(
        _ index: Int, job: HistoryJob = job, csv: String = "header\nrow\n", commit: String? = nil
    ) -> HistoryFile.Entry {
        HistoryFile.Entry(
            run: HistoryRun(
                identity: "run-\(index)", runID: "run-\(index)",
                startedAt: "2026-01-01T00:\(index + 10)Z", commit: commit, job: job,
                machine: "one", judgedBy: "0.1", status: .success,
                policies: [
                    HistoryFigures(
                        policy: "512KB", rows: 3, leftOut: 1, violations: 0, decided: 2,
                        lossPercent: 8.5, lostBytesMax: 524_288, recoverySecondsMedian: nil),
                    HistoryFigures(
                        policy: "disabled", rows: 3, leftOut: 0, violations: 0, decided: 3,
                        lossPercent: nil, lostBytesMax: nil, recoverySecondsMedian: 0.02),
                ]),
            csv: Data(csv.utf8))
    }

    @Test func whatIsAddedIsReadAgain() throws {
        let history = try history("new/history.sqlite")
        let entries = [Self.entry(2), Self.entry(1, commit: "abc")]
        #expect(try history.add(entries) == [.added, .added])
        let runs = try HistoryFile(history.path).runs()
        #expect(runs == [entries[1].run, entries[0].run])
        #expect(try history.count() == 2)
    }

    @Test func aRunAddedTwiceIsThereOnce() throws {
        let history = try history()
        #expect(try history.add([Self.entry(1), Self.entry(1)]) == [.added, .known])
        #expect(try history.add([Self.entry(1), Self.entry(2)]) == [.known, .added])
        #expect(try history.runs().count == 2)
    }

    /// A run that was added before it was resumed gets its other rows.
    @Test func aResumedRunIsCompleted() throws {
        let history = try history()
        _ = try history.add([Self.entry(1, commit: "abc")])
        let more = Self.entry(1, csv: "header\nrow\nrow\n")
        #expect(try history.add([more]) == [.completed])
        #expect(try history.add([Self.entry(1)]) == [.known])
        let kept = try history.entries(of: Self.job, before: "2027", newest: 5)
        #expect(kept.map(\.csv) == [more.csv])
        #expect(try history.runs().map(\.commit) == ["abc"])
    }

    /// All are added, or none.
    @Test func otherRowsOfTheSameRunAreRefused() throws {
        let history = try history()
        _ = try history.add([Self.entry(1)])
        expectError(.data, "nothing was added") {
            _ = try history.add([Self.entry(2), Self.entry(1, csv: "header\nother\n")])
        }
        #expect(try history.runs().map(\.runID) == ["run-1"])
    }

    @Test func onlyEarlierRunsOfTheJobAreCompared() throws {
        let history = try history()
        let other = HistoryJob([.init(name: "worker", value: "curl")])
        _ = try history.add((1...6).map { Self.entry($0) } + [Self.entry(7, job: other)])
        let moment = Self.entry(5).run.startedAt
        #expect(
            try history.entries(of: Self.job, before: moment, newest: 3).map(\.runID)
                == ["run-2", "run-3", "run-4"])
        #expect(try history.entries(of: HistoryJob([]), before: "2027", newest: 3).isEmpty)
    }

    @Test func historiesAreMerged() throws {
        let one = try history("one")
        let two = try history("two")
        _ = try one.add([Self.entry(1), Self.entry(2)])
        let other = HistoryJob([.init(name: "worker", value: "curl")])
        _ = try two.add([Self.entry(2), Self.entry(3, job: other)])
        #expect(try one.merge([two]).map(\.addition) == [.known, .added])
        #expect(try one.merge([two]).map(\.addition) == [.known, .known])
        #expect(try one.runs().map(\.runID) == ["run-1", "run-2", "run-3"])
        #expect(try one.runs().last?.job == other)
        #expect(try two.runs().count == 2)
        // The same file under another name.
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/one")
        let link = try HistoryFile("\(folder.path)/link")
        #expect(try one.merge([link]).map(\.addition) == [.known, .known, .known])
        // Also while more is written than SQLite keeps in memory: it then locks readers out.
        let large = try history("large")
        let text = String(repeating: "x", count: 200_000)
        _ = try large.add((11...40).map { Self.entry($0, csv: text) })
        let done = try one.merge([large, link]).map(\.addition)
        let added: [HistoryFile.Addition] = Array(repeating: .added, count: 30)
        #expect(done == added + [.known, .known, .known])
    }

    /// The runs of the first file stayed when the second was refused, "nothing was added".
    @Test func ofSeveralHistoriesAllAreMergedOrNone() throws {
        let (one, two, three) = (try history("one"), try history("two"), try history("three"))
        _ = try two.add([Self.entry(1)])
        _ = try three.add([Self.entry(2), Self.entry(1, csv: "header\nother\n")])
        expectError(.data, "nothing was added") { _ = try one.merge([two, three]) }
        #expect(try one.runs().isEmpty)
    }

    /// An empty variable as the name: SQLite keeps such a database nowhere, and the run was "added".
    @Test func anEmptyNameIsRefused() {
        expectError(.data, "--history") { _ = try HistoryFile("", creates: true) }
    }

    @Test(arguments: ["text", "other", "newer", "empty", "folder", "nothing"])
    func anotherFileIsRefusedAndLeftAsItIs(kind: String) throws {
        switch kind {
        case "text": try Data("schema,run_id\n".utf8).write(to: URL(fileURLWithPath: path))
        case "other":
            try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE mine (x)") }
        case "newer":
            _ = try history()
            try DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 2") }
        case "empty": try Data().write(to: URL(fileURLWithPath: path))
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: break
        }
        let before = try? Data(contentsOf: URL(fileURLWithPath: path))
        let canBeMade = ["empty", "nothing"].contains(kind)
        expectError(.data, canBeMade ? "rig history add" : "") { _ = try HistoryFile(path) }
        if canBeMade { return }
        expectError(.data) { _ = try history() }
        #expect((try? Data(contentsOf: URL(fileURLWithPath: path))) == before)
    }

    /// SQLite had a "disk I/O error" with it, and the advice was to make room.
    @Test(arguments: [false, true])
    func whatIsNoPlainFileIsRefused(creates: Bool) throws {
        try #require(mkfifo(path, 0o600) == 0)
        expectError(.data, "is no plain file") { _ = try HistoryFile(path, creates: creates) }
    }

    /// How a file is damaged.
    enum Damage: CaseIterable { case endIsMissing, allButTheFirstPage, onePageInTheMiddle }

    /// A run could be added without touching the only page that is damaged.
    @Test(arguments: Damage.allCases)
    func aDamagedFileIsRefusedAndLeftAsItIs(damage: Damage) throws {
        do {
            let history = try history()
            _ = try history.add((1...200).map { Self.entry($0) })
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let middle = bytes.count / 4096 / 2 * 4096
        switch damage {
        case .endIsMissing: bytes = bytes.prefix(middle)
        case .allButTheFirstPage: for index in 4096..<bytes.count { bytes[index] = 0xA5 }
        case .onePageInTheMiddle: for index in middle..<middle + 4096 { bytes[index] = 0xA5 }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        expectError(.data, "restore it") { _ = try history().add([Self.entry(999)]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    /// A file that says it is a history, and holds values of other kinds.
    @Test(arguments: [
        "UPDATE run SET exit_code = 5", "UPDATE job SET facts = 'no JSON'",
        "ALTER TABLE run DROP COLUMN machine",
        // The rig crashed when it added or drew these.
        "UPDATE figures SET rows = 9223372036854775807", "UPDATE figures SET left_out = -1",
        "UPDATE figures SET loss_percent = 9e999",
        "UPDATE figures SET recovery_seconds_median = 1e30",
    ])
    func aForgedFileEndsInAnError(statement: String) throws {
        let history = try history()
        _ = try history.add([Self.entry(1)])
        try DatabaseQueue(path: path).write { try $0.execute(sql: statement) }
        let error = #expect(throws: RigError.self) { try HistoryFile(path).runs() }
        #expect([.data, .failure].contains(error?.status), "\(error?.message ?? "it was read")")
    }

    /// Two rigs that end at the same time each add their run.
    @Test func twoWritersTakeTurns() async throws {
        let path = path
        await withTaskGroup { group in
            for writer in 0..<2 {
                group.addTask {
                    for index in 0..<20 {
                        do {
                            let history = try HistoryFile(path, creates: true)
                            _ = try history.add([Self.entry(writer * 100 + index)])
                        } catch { Issue.record(error) }
                    }
                }
            }
        }
        #expect(try HistoryFile(path).count() == 40)
    }

    @Test func aWriterThatNeverEndsIsNotWaitedForForever() throws {
        _ = try history().add([Self.entry(1)])
        try DatabaseQueue(path: path).inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            let history = try HistoryFile(path, creates: true, patience: 0.05)
            expectError(.failure, "another program is writing") {
                _ = try history.add([Self.entry(2)])
            }
            // It can be read meanwhile.
            #expect(try history.runs().count == 1)
            try database.execute(sql: "ROLLBACK")
        }
        #expect(try history().add([Self.entry(2)]) == [.added])
    }

    @Test(.enabled("mounts a small disk, and so needs root") { SmallDisk.isPossible })
    func aFullDiskLosesNothing() throws {
        let disk = try SmallDisk(.tmpfs, megabytes: 2)
        let path = "\(disk.path)/history"
        let history = try HistoryFile(path, creates: true)
        _ = try history.add([Self.entry(1)])
        try disk.fill()
        expectError(.failure, "make room") {
            _ = try history.add([Self.entry(2, csv: String(repeating: "x", count: 100_000))])
        }
        #expect(try HistoryFile(path).runs().map(\.runID) == ["run-1"])
        try disk.makeRoom()
        #expect(try HistoryFile(path, creates: true).add([Self.entry(2)]) == [.added])
    }

    /// A rig killed in the middle of a commit leaves SQLite's journal; the next rig rolls it back.
    @Test func whatAKilledWriterLeftIsRolledBack() throws {
        _ = try history().add([Self.entry(1)])
        let copy = "\(folder.path)/copy"
        try DatabaseQueue(path: path).inDatabase { database in
            try database.execute(sql: "PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN")
            for index in 0..<200 {
                try database.execute(
                    sql: "INSERT INTO job (facts) VALUES (?)",
                    arguments: ["\(index)" + String(repeating: "x", count: 4000)])
            }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        #expect(try HistoryFile(copy).runs().map(\.runID) == ["run-1"])
        let jobs = try DatabaseQueue(path: copy).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM job")
        }
        #expect(jobs == 1)
    }
}
