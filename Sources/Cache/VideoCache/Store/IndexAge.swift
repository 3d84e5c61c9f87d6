internal import Foundation
internal import GRDB

/// Tells whether a database and its WAL are of one time (K14).
///
/// A backup may have been restored over one of them only. SQLite notices nothing: it takes the pages
/// that the WAL has from there and all others from the database, whatever they are.
///
/// Each commit counts the index's generation up, in a page that it changes anyway, and notes beside
/// it the base: the generation that the database certainly had when the WAL was begun. So the
/// database alone is never older than the base, and never newer than the two together.
enum IndexAge {
    enum Verdict {
        /// They are of one time, as far as can be told.
        case one
        /// One of them is older than the other.
        case two
        /// The database alone cannot be read, or is of no time: a killed checkpoint has not copied all
        /// pages, or a power cut has torn them.
        case unknown
    }

    private static let tables = "SELECT name FROM sqlite_master WHERE name = 'chunk_total'"
    private static let ages = "SELECT generation, base FROM chunk_total"

    private static let isTotal = """
        SELECT bytes = (SELECT IFNULL(SUM(length), 0) FROM chunk) FROM chunk_total
        """

    /// Looks at a database with a WAL, and changes nothing; what it throws says nothing of their time.
    static func verdict(_ path: String) throws -> Verdict {
        // Before and after the other look: another process may be writing both.
        let before = generation(inDatabaseAt: path)
        let files = IndexFiles(path)
        guard files.observed != nil else { return .one }
        if access(path, F_OK) != 0, errno == ENOENT { return .two }
        let both: (generation: Int64, base: Int64)
        do {
            both = try files.observe { try look($0, isAlone: $1) }
        } catch let error as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            return .two
        }
        guard let before, let after = generation(inDatabaseAt: path) else { return .unknown }
        if both.generation >= before && after >= both.base { return .one }
        return isOfOneTime(path) ? .two : .unknown
    }

    /// Whether the database without its WAL is as some commit left it.
    ///
    /// A power cut in a checkpoint leaves sectors of different times, and in a page whose beginning is
    /// new and whose rest is old SQLite finds a row of long ago. All of it is in the WAL, which must
    /// not be taken for one of another time then.
    private static func isOfOneTime(_ path: String) -> Bool {
        let found = try? look(IndexFiles(path).observedAsItIs, isAlone: false) { db in
            try SQLiteChunkStore.isSound(db) && Bool.fetchOne(db, sql: isTotal) == true
        }
        return found ?? false
    }

    /// The generation of the database without its WAL; nil if it cannot be read.
    private static func generation(inDatabaseAt path: String) -> Int64? {
        try? look(IndexFiles(path).observedAsItIs, isAlone: false).generation
    }

    private static func look(
        _ name: String, isAlone: Bool
    ) throws -> (generation: Int64, base: Int64) {
        try look(name, isAlone: isAlone) { db in
            // A new database has its tables in the WAL, and an older one has no generation.
            guard try String.fetchOne(db, sql: tables) != nil,
                let row = try? Row.fetchOne(db, sql: ages)
            else { return (0, 0) }
            return ((try? row.value(0)) ?? 0, (try? row.value(1)) ?? 0)
        }
    }

    /// Reads a database, as its name says, on a connection of its own.
    static func look<Value>(
        _ name: String, isAlone: Bool, _ body: (Database) throws -> Value
    ) throws -> Value {
        let queue = try DatabaseQueue(
            path: name, configuration: GRDB.Configuration(reading: true, alone: isAlone))
        defer { try? queue.close() }
        return try queue.read(body)
    }
}
