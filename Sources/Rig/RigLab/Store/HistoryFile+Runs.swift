package import Foundation
internal import GRDB
package import RigModel

extension HistoryFile {
    package enum Addition: Sendable, Hashable {
        case added
        case known
        /// It was there with fewer rows: it had been added before it was resumed.
        case completed
    }

    /// A run with its rows, as `iterations.csv` has them.
    package struct Entry: Sendable {
        package let run: HistoryRun
        package let csv: Data

        package init(run: HistoryRun, csv: Data) { (self.run, self.csv) = (run, csv) }
    }

    /// Adds runs: all of them, or none; throws exit code 65 when the history has another run of the
    /// same identity, or is damaged, 70 when it cannot be written.
    package func add(_ entries: [Entry]) throws(RigError) -> [Addition] {
        try checkSound()
        return try write { database in try entries.map { try add($0, to: database) } }
    }

    private static let columns =
        "identity, run_id, started_at, commit_name, job, machine, judged_by, exit_code"

    private func add(_ entry: Entry, to database: Database) throws -> Addition {
        let run = entry.run
        let known = try Row.fetchOne(
            database,
            sql: "SELECT run.id, csv FROM run JOIN kills ON run = run.id WHERE identity = ?",
            arguments: [run.identity])
        if let known {
            let id: Int64 = try known.decode(atIndex: 0)
            let csv: Data = try known.decode(atIndex: 1)
            // A longer file that begins with the other was resumed after that had been added.
            if csv.starts(with: entry.csv) { return .known }
            try RigError.require(
                entry.csv.starts(with: csv), .data,
                "\(path) has a run \(run.runID) with other rows; nothing was added: find out "
                    + "which of the two was changed")
            for table in ["figures", "kills"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE run = ?", arguments: [id])
            }
            try database.execute(
                sql: """
                    UPDATE run SET exit_code = ?, commit_name = coalesce(?, commit_name)
                    WHERE id = ?
                    """,
                arguments: [run.status.rawValue, run.commit, id])
            try insertRows(of: entry, as: id, in: database)
            return .completed
        }
        try database.execute(
            sql: "INSERT INTO run (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                run.identity, run.runID, run.startedAt, run.commit,
                try Self.job(run.job, in: database), run.machine, run.judgedBy, run.status.rawValue,
            ])
        try insertRows(of: entry, as: database.lastInsertedRowID, in: database)
        return .added
    }

    private func insertRows(of entry: Entry, as id: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (place, figures) in entry.run.policies.enumerated() {
            try statement.execute(arguments: [
                id, place, figures.policy, figures.rows, figures.leftOut, figures.violations,
                figures.decided, figures.lossPercent, figures.lostBytesMax,
                figures.recoverySecondsMedian,
            ])
        }
        try database.execute(sql: "INSERT INTO kills VALUES (?, ?)", arguments: [id, entry.csv])
    }

    private static func job(_ job: HistoryJob, in database: Database) throws -> Int64 {
        let facts = try text(of: job)
        try database.execute(
            sql: "INSERT INTO job (facts) VALUES (?) ON CONFLICT DO NOTHING", arguments: [facts])
        return try Int64.fetchOne(
            database, sql: "SELECT id FROM job WHERE facts = ?", arguments: [facts]) ?? 0
    }

    private static func text(of job: HistoryJob) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(job), as: UTF8.self)
    }

    package func count() throws(RigError) -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM run") ?? 0 }
    }

    /// All runs with their figures, oldest first; throws exit code 65 for a damaged file.
    package func runs() throws(RigError) -> [HistoryRun] {
        try read { database in
            var figures: [Int64: [HistoryFigures]] = [:]
            // Rows of a cursor find their columns faster than copies of rows.
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM figures ORDER BY run, place")
            while let row = try rows.next() {
                let run: Int64 = try row.decode(forColumn: "run")
                figures[run, default: []].append(try Self.figures(row))
            }
            var runs: [HistoryRun] = []
            var jobs: [String: HistoryJob] = [:]
            let all = try Row.fetchCursor(
                database,
                sql: """
                    SELECT run.id, \(Self.columns), facts FROM run LEFT JOIN job ON job = job.id
                    ORDER BY started_at, identity
                    """
            )
            while let row = try all.next() {
                let id: Int64 = try row.decode(forColumn: "id")
                runs.append(try Self.run(row, figures: figures[id] ?? [], jobs: &jobs))
            }
            return runs
        }
    }

    /// The newest runs of a job that began before a moment (ISO 8601, UTC), oldest first.
    package func entries(
        of job: HistoryJob, before moment: String, newest most: Int
    ) throws(RigError) -> [(runID: String, csv: Data)] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT run_id, csv FROM run JOIN kills ON run = run.id
                    WHERE job = (SELECT id FROM job WHERE facts = ?) AND started_at < ?
                    ORDER BY started_at DESC, identity DESC LIMIT ?
                    """,
                arguments: [try Self.text(of: job), moment, most]
            ).reversed().map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }
        }
    }

    /// Adds all runs of other histories: all of them, or none.
    package func merge(
        _ others: [HistoryFile]
    ) throws(RigError) -> [(run: HistoryRun, addition: Addition)] {
        try checkSound()
        var all: [(history: HistoryFile, runs: [HistoryRun])] = []
        for other in others {
            try other.checkSound()
            all.append((other, try other.runs()))
        }
        return try write { database in
            var done: [(run: HistoryRun, addition: Addition)] = []
            for (other, runs) in all {
                // This file cannot be read under another name while much is written to it.
                let isThisOne = other.place == place
                for run in runs {
                    if !isThisOne, let csv = try other.csv(of: run.identity) {
                        done.append((run, try add(Entry(run: run, csv: csv), to: database)))
                    } else {
                        done.append((run, .known))
                    }
                }
            }
            return done
        }
    }

    private var place: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    private func csv(of identity: String) throws(RigError) -> Data? {
        try read { database in
            try Data.fetchOne(
                database, sql: "SELECT csv FROM kills JOIN run ON run = run.id WHERE identity = ?",
                arguments: [identity])
        }
    }

    private static func figures(_ row: Row) throws -> HistoryFigures {
        let figures = HistoryFigures(
            policy: try row.decode(forColumn: "policy"), rows: try row.decode(forColumn: "rows"),
            leftOut: try row.decode(forColumn: "left_out"),
            violations: try row.decode(forColumn: "violations"),
            decided: try row.decode(forColumn: "decided"),
            lossPercent: try row.decode(forColumn: "loss_percent"),
            lostBytesMax: try row.decode(forColumn: "lost_bytes_max"),
            recoverySecondsMedian: try row.decode(forColumn: "recovery_seconds_median"))
        let counts = [figures.rows, figures.leftOut, figures.violations, figures.decided]
        let others = [figures.lossPercent ?? 0, figures.recoverySecondsMedian ?? 0]
        // Sums and texts of greater ones would overflow.
        guard counts.allSatisfy({ $0 >= 0 && $0 <= Int(Int32.max) }),
            others.allSatisfy({ abs($0) < 1e12 })
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a figure is none") }
        return figures
    }

    private static func run(
        _ row: Row, figures: [HistoryFigures], jobs: inout [String: HistoryJob]
    ) throws -> HistoryRun {
        let code: Int32 = try row.decode(forColumn: "exit_code")
        let facts: String = try row.decode(forColumn: "facts")
        if jobs[facts] == nil {
            jobs[facts] = try? JSONDecoder().decode(HistoryJob.self, from: Data(facts.utf8))
        }
        guard let job = jobs[facts], let status = RigModel.ExitStatus(rawValue: code) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a run cannot be read")
        }
        return HistoryRun(
            identity: try row.decode(forColumn: "identity"),
            runID: try row.decode(forColumn: "run_id"),
            startedAt: try row.decode(forColumn: "started_at"),
            commit: try row.decode(forColumn: "commit_name"), job: job,
            machine: try row.decode(forColumn: "machine"),
            judgedBy: try row.decode(forColumn: "judged_by"), status: status, policies: figures)
    }
}
