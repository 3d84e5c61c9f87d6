internal import Foundation
internal import GRDB
package import RigModel

/// A history of runs: one SQLite file.
///
/// Everything is written in one transaction each, with SQLite's rollback journal, so a killed rig or
/// a full disk leaves the history as it was. Two rigs take turns.
package struct HistoryFile: Sendable {
    /// The number by which SQLite's own tools tell what the file is: `RigH`.
    static let applicationID: Int32 = 0x5269_6748
    static let schema = 1
    /// Seconds that a rig waits for another one that writes.
    package static let patience = 30.0

    package let path: String
    private let queue: DatabaseQueue

    /// Opens a history; with `creates`, makes it where there is none; throws exit code 65 without
    /// one, for something else or a damaged one, 77 without permission, else 70.
    package init(
        _ path: String, creates: Bool = false, patience: Double = HistoryFile.patience
    ) throws(RigError) {
        self.path = path
        let files = FileManager.default
        try RigError.require(
            !path.isEmpty, .data, "an empty name is no history; name its file with --history")
        try RigError.require(
            !path.isFolder, .data, "\(path) is a folder; name the history's file with --history")
        let isThere = files.fileExists(atPath: path)
        try RigError.require(
            !isThere || path.isPlainFile, .data,
            "\(path) is no plain file; name the history's file with --history")
        try RigError.require(
            isThere || creates, .data, "there is no history \(path); rig history add RUN makes one")
        do {
            let folder = path.parentFolder
            if !isThere, !folder.isEmpty {
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            var configuration = GRDB.Configuration()
            // A reader has to roll back what a killed writer has left, and so opens it for writing.
            configuration.readonly = isThere && !creates && !files.isWritableFile(atPath: path)
            configuration.busyMode = .timeout(patience)
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            // SQLite keeps what is called :memory: nowhere.
            queue = try DatabaseQueue(
                path: path.hasPrefix("/") ? path : "./\(path)", configuration: configuration)
        } catch {
            throw Self.explained(error, path)
        }
        try check(creates: creates)
    }

    private func check(creates: Bool) throws(RigError) {
        let facts = try read { database in
            (
                id: try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                version: try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                tables: try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            )
        }
        if facts.id == 0, facts.version == 0, facts.tables == 0 {
            try RigError.require(
                creates, .data, "\(path) is empty; rig history add RUN puts runs into it")
            return try write { try Self.create($0) }
        }
        try RigError.require(
            facts.id == Self.applicationID, .data,
            "\(path) is a database of another program; name a history with --history")
        try RigError.require(
            facts.version == Self.schema, .data,
            "\(path) has version \(facts.version) of a history, and this rig knows version"
                + " \(Self.schema); use the rig that wrote it")
    }

    /// Makes the tables; another rig may have made them meanwhile.
    private static func create(_ database: Database) throws {
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == 0 else { return }
        try database.execute(
            sql: """
                CREATE TABLE job (id INTEGER PRIMARY KEY, facts TEXT NOT NULL UNIQUE);
                CREATE TABLE run (
                    id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
                    started_at TEXT NOT NULL, commit_name TEXT,
                    job INTEGER NOT NULL REFERENCES job (id), machine TEXT NOT NULL,
                    judged_by TEXT NOT NULL, exit_code INTEGER NOT NULL);
                CREATE INDEX run_of_job ON run (job, started_at);
                CREATE TABLE figures (
                    run INTEGER NOT NULL REFERENCES run (id), place INTEGER NOT NULL,
                    policy TEXT NOT NULL, rows INTEGER NOT NULL, left_out INTEGER NOT NULL,
                    violations INTEGER NOT NULL, decided INTEGER NOT NULL, loss_percent REAL,
                    lost_bytes_max INTEGER, recovery_seconds_median REAL,
                    PRIMARY KEY (run, place)) WITHOUT ROWID;
                -- Apart from the figures, which are read without them.
                CREATE TABLE kills (
                    run INTEGER PRIMARY KEY REFERENCES run (id), csv BLOB NOT NULL);
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(schema);
                """)
    }

    /// Reads in one transaction; throws exit code 65 for a damaged file, 70 for another failure.
    func read<Value>(_ body: (Database) throws -> Value) throws(RigError) -> Value {
        do {
            return try queue.read(body)
        } catch {
            throw Self.explained(error, path)
        }
    }

    /// Writes in one transaction, for which it waits; throws as ``read(_:)``, and as `body`.
    func write<Value>(_ body: (Database) throws -> Value) throws(RigError) -> Value {
        do {
            return try queue.writeWithoutTransaction { database in
                var value: Value?
                // The lock is taken first: one that is taken later cannot be waited for.
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                guard let value else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
                return value
            }
        } catch {
            throw Self.explained(error, path)
        }
    }

    /// Refuses to add to a damaged file, which could lose what is still there.
    func checkSound() throws(RigError) {
        let complaint = try read { database in
            try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "ok"
        }
        guard complaint == "ok" else { throw Self.damaged(path, complaint) }
    }

    private static func damaged(_ path: String, _ complaint: String) -> RigError {
        RigError.data(
            "\(path) is damaged, or no history (\(complaint)); nothing was changed: restore it from "
                + "a copy, or name another file with --history")
    }

    /// The error in words; one of the rig is left as it is.
    private static func explained(_ error: any Error, _ path: String) -> RigError {
        if let known = error as? RigError { return known }
        if error is RowDecodingError { return damaged(path, "a value is of another kind") }
        guard let error = error as? DatabaseError else {
            return RigError.failure(
                "cannot make \(path): \(SystemFailure(error)), or name another file with --history")
        }
        let told = error.message ?? "\(error.resultCode)"
        if [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            return damaged(path, told)
        }
        let isForbidden = [.SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH].contains(error.resultCode)
        let text =
            switch error.resultCode {
            case _ where isForbidden:
                "may not write \(path); make it and its folder writable, or name another file with "
                    + "--history"
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                "another program is writing \(path); nothing was changed: try again when it has ended"
            case .SQLITE_FULL:
                "there is no room for \(path); nothing was changed: make room, and try again"
            case .SQLITE_CANTOPEN, .SQLITE_IOERR:
                "cannot open \(path) (\(told)); nothing was changed: make its folder writable, make "
                    + "room, or name another file with --history"
            default: "cannot use \(path): \(told); nothing was changed"
            }
        return RigError(isForbidden ? .permission : .failure, text)
    }
}
