internal import GRDB
internal import VideoCache

/// The list's database, layout version 1; readable by any program that can use SQLite.
enum LibrarySchema {
    static let version = 1
    static let fileName = "library.sqlite"

    // 256 KB of WAL: a list takes a few pages, so the file stays small and a checkpoint short.
    private static let checkpointPages = 64

    private static let tableNames: Set<String> = ["library", "library_video"]

    private static let tables = """
        CREATE TABLE library ( -- one row: the list is there
            id INTEGER PRIMARY KEY CHECK (id = 1),
            timestamp REAL NOT NULL -- seconds since 1970
        );
        CREATE TABLE library_video (
            position INTEGER PRIMARY KEY, -- from 0
            id TEXT NOT NULL UNIQUE, -- a UUID in capitals
            title TEXT NOT NULL,
            description TEXT,
            url TEXT NOT NULL,
            thumbnail_url TEXT,
            duration REAL -- seconds
        );
        """

    /// True if it is new; looks in one transaction, so that it sees no half-created database.
    static func isNew(_ db: Database, path: String) throws -> Bool {
        try db.transaction(.deferred) { try look(db, path: path) }
    }

    private static func look(_ db: Database, path: String) throws -> Bool {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let names = try String.fetchSet(db, sql: "SELECT name FROM sqlite_master")
        if found == 0, names.isEmpty { return true }
        // A high version without any of the tables belongs to another program.
        guard names.isEmpty || !names.isDisjoint(with: tableNames) else {
            throw LibraryError.notALibrary(path: path, reason: "another program's database")
        }
        guard found <= version else {
            throw LibraryError.newerSchema(path: path, found: found, supported: version)
        }
        guard found == version, names.isSuperset(of: tableNames) else {
            throw LibraryError.notALibrary(path: path, reason: "another program's database")
        }
        return false
    }

    /// Sets up a writing connection; a new database gets its tables.
    static func prepare(
        _ db: Database, path: String, in folder: String, durability: Durability
    ) throws {
        let isNew = try isNew(db, path: path)
        try db.execute(
            sql: """
                PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL");
                PRAGMA secure_delete = OFF;
                PRAGMA mmap_size = 0;
                PRAGMA wal_autocheckpoint = \(checkpointPages);
                """)
        try SQLiteSchema.switchToLog(db)
        guard isNew else { return try LogIndexRoom.take(in: folder, db) }
        try db.inTransaction(.immediate) {
            // Another process may have created it before this one got the lock.
            if try look(db, path: path) {
                try db.execute(sql: tables)
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
            return .commit
        }
    }
}
