internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// The files of an index as they are now; equal, as far as is told, if nothing was written.
package struct IndexFiles: Equatable, Sendable {
    let path: String
    let database: FileFacts?
    let log: FileFacts?
    let hasLogIndex: Bool

    package init(_ path: String) {
        self.path = path
        (database, log) = (FileFacts(path), FileFacts(path + "-wal"))
        hasLogIndex = access(path + "-shm", F_OK) == 0
    }

    package func isSameDatabase(as other: Self) -> Bool {
        guard let database, let theirs = other.database else { return false }
        return database.isSame(as: theirs)
    }

    /// True if this process may write what there is of the database, its WAL and its WAL index.
    ///
    /// SQLite must not find out by itself: it opens the database to read then, and creates the
    /// other files for it, with this user as their owner. The owner of the cache cannot write those.
    var areWritable: Bool {
        ["", "-wal", "-shm"].allSatisfy { access(path + $0, W_OK) == 0 || errno == ENOENT }
    }

    /// The length of a WAL that has its header and nothing else yet.
    private static let logHeader: Int64 = 32

    /// True if there is a WAL with its index: then SQLite's locks protect what is read.
    ///
    /// Not with a header alone, as a kill leaves it that comes before the first page: SQLite, which
    /// reads such a WAL without its index when no other process uses it, then compares the header with
    /// one that it has not read (`walIndexRecover`, `walBeginShmUnreliable`), and tries again for
    /// ten seconds.
    var sharesLogIndex: Bool { hasLogIndex && log.map { $0.size != Self.logHeader } ?? false }

    /// The name by which SQLite reads the database and writes nothing; nil if it knows none.
    var observed: (name: String, isAlone: Bool)? {
        guard sqlite3_compileoption_used("USE_URI") == 1 else { return nil }
        if sharesLogIndex { return ("\(Self.name(path))?mode=ro&readonly_shm=1", false) }
        // Without the index of a WAL no other process is using it: it is read without locks.
        return log?.size ?? 0 > Self.logHeader ? (observedAlone, true) : (observedAsItIs, false)
    }

    /// Connects to the database so that reading it writes and creates nothing; where `isAlone`, the
    /// connection has to be in SQLite's exclusive mode.
    package func observe<Value>(
        _ connect: (_ name: String, _ isAlone: Bool) throws -> Value
    ) throws -> Value {
        guard let observed else { return try connect(path, false) }
        do {
            return try connect(observed.name, observed.isAlone)
        } catch is DatabaseError where sharesLogIndex {
            // A WAL index that cannot be used, or has just been removed.
            return try connect(observedAlone, true)
        }
    }

    /// The same, without the WAL index: for one that this process cannot use.
    var observedAlone: String { "\(Self.name(path))?mode=ro&vfs=unix-none" }

    /// The same, without the WAL: what the last checkpoint has left.
    var observedAsItIs: String { "\(Self.name(path))?mode=ro&immutable=1" }

    private static func name(_ path: String) -> String {
        let escaped = path.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                Array("%\(String(byte, radix: 16))".utf8)
            default: [byte]
            }
        }
        let text = String(decoding: escaped, as: UTF8.self)
        return (path.hasPrefix("/") ? "file://" : "file:") + text
    }
}
