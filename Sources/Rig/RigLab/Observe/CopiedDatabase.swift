internal import Foundation
internal import GRDB
internal import RigModel

/// A SQLite database in a copy of the state, opened without changing it.
enum CopiedDatabase {
    enum Reading<Value> {
        /// There is no database, or nothing was ever committed, as after a kill right after launch.
        case nothing
        /// The file is no database, or damaged; with SQLite's message.
        case damaged(String)
        case value(Value)

        /// What is found of a state that is this.
        func autopsy(_ found: (Value) throws -> Autopsy) rethrows -> Autopsy {
            switch self {
            case .nothing: .nothing
            case .damaged(let complaint): .unreadable(complaint)
            case .value(let value): try found(value)
            }
        }
    }

    /// Reads a database in a copy of the state; only a shared-memory file is added beside it.
    static func read<Value>(
        _ path: String, _ read: (Database) throws -> Value
    ) throws -> Reading<Value> {
        guard FileManager.default.fileExists(atPath: path) else { return .nothing }
        let (opened, mayWrite) = try HotJournal.settled(path)
        do {
            var configuration = GRDB.Configuration()
            // A read-only connection leaves the WAL unchanged, so the copy stays evidence.
            configuration.readonly = !mayWrite
            return try DatabaseQueue(path: opened, configuration: configuration).read { database in
                guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0
                else { return .nothing }
                return .value(try read(database))
            }
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            if try error.resultCode == .SQLITE_NOTADB && isBlank(opened) { return .nothing }
            return .damaged(error.message ?? "\(error.resultCode)")
        }
    }

    /// True when the file's first sector is all zeros: a power cut has left its length, and it holds
    /// nothing, which SQLite reports as no database.
    ///
    /// Missing content is no damage by itself: the acknowledged bytes show whether something should
    /// be there, and the relaunch shows whether the worker can cope with it.
    private static func isBlank(_ path: String) throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let sector = try file.read(upToCount: 512) ?? Data()
        return !sector.isEmpty && sector.allSatisfy { $0 == 0 }
    }
}

/// A rollback journal that a power cut has left beside an SQLite database.
///
/// SQLite must roll it back before it can read a byte, and cannot do that without writing. The copy
/// that an autopsy reads is evidence and must not change, so the rollback happens on a second copy.
enum HotJournal {
    /// The database to open: the given one, or, where a journal lies beside it, a writable copy.
    static func settled(_ path: String) throws -> (path: String, mayWrite: Bool) {
        let files = FileManager.default
        guard files.fileExists(atPath: "\(path)-journal") else { return (path, false) }
        let name = (path as NSString).lastPathComponent
        let folder = path.parentFolder + "-rolled-back"
        try? files.removeItem(atPath: folder)
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for suffix in ["", "-journal", "-wal"] where files.fileExists(atPath: path + suffix) {
            try FileCopy.copy(from: path + suffix, to: "\(folder)/\(name)\(suffix)")
        }
        return ("\(folder)/\(name)", true)
    }
}

extension Autopsy {
    static let nothing = unreadable("ok")

    static func unreadable(_ complaint: String) -> Autopsy {
        Autopsy(
            integrityCheck: complaint, chunks: [], claimedRanges: ByteRanges(),
            firstDifference: nil)
    }
}
