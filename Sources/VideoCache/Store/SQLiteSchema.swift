internal import GRDB

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The database's layout, version 1; readable by any program that speaks SQLite.
enum SQLiteSchema {
    /// `PRAGMA user_version` of a database with this layout.
    static let version = 1
    /// The database's file name in the cache's folder.
    static let fileName = "cache.sqlite"
    /// The page size in bytes: with 512 KB chunks twice as fast as SQLite's own 4 KB.
    static let pageSize = 16 << 10

    // Together 5 s, as long as any other wait for a lock.
    private static let switchAttempts = 1000
    private static let switchPause: UInt32 = 5000

    private static let tables = """
        CREATE TABLE video (
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, also after a clear
            url TEXT NOT NULL UNIQUE,
            length INTEGER,
            mime_type TEXT,
            accepts_ranges INTEGER NOT NULL,
            etag TEXT,
            last_modified TEXT
        );
        CREATE TABLE chunk (
            video_id INTEGER NOT NULL REFERENCES video(id) ON DELETE CASCADE,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            checksum INTEGER NOT NULL, -- XXH3-64 of the bytes, as a signed 64-bit number
            bytes BLOB NOT NULL,
            PRIMARY KEY (video_id, offset)
        );
        CREATE TABLE cached_range ( -- merged; updated in the same transaction as the chunk
            video_id INTEGER NOT NULL REFERENCES video(id) ON DELETE CASCADE,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            PRIMARY KEY (video_id, offset)
        ) WITHOUT ROWID;
        """

    /// Looks at the database before anything could change it, and says whether it is new.
    ///
    /// One transaction, so that it never sees half of what another process is creating.
    static func isNew(_ db: Database, path: String) throws -> Bool {
        var isNew = false
        try db.inTransaction(.deferred) {
            isNew = try look(db, path: path)
            return .commit
        }
        return isNew
    }

    private static func look(_ db: Database, path: String) throws -> Bool {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found <= version else {
            throw CacheError.newerSchema(path: path, found: found, supported: version)
        }
        let names = try String.fetchSet(db, sql: "SELECT name FROM sqlite_master")
        if found == 0, names.isEmpty { return true }
        guard found == version, names.isSuperset(of: ["video", "chunk", "cached_range"]) else {
            throw CacheError.notACache(path: path, reason: "another program's database")
        }
        return false
    }

    /// Sets up a connection that may write; a new database gets its page size and its tables.
    static func prepare(_ db: Database, path: String, durability: Durability) throws {
        let isNew = try isNew(db, path: path)
        if isNew { try db.execute(sql: "PRAGMA page_size = \(pageSize)") }
        let synchronous = durability == .power ? "FULL" : "NORMAL"
        // An empty database has nothing to protect from a power cut: eight syncs less.
        let atCreation = isNew && durability == .process ? "OFF" : synchronous
        try db.execute(
            sql: """
                PRAGMA synchronous = \(atCreation);
                PRAGMA secure_delete = OFF;
                PRAGMA mmap_size = 0;
                PRAGMA wal_autocheckpoint = 0;
                """)
        try switchToLog(db)
        guard isNew else { return }
        try db.inTransaction(.immediate) {
            // Another process may have been first, between the look and the lock.
            if try look(db, path: path) {
                try db.execute(sql: tables)
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
            return .commit
        }
        try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
    }

    /// Turns the write-ahead log on, also while another process does the same.
    ///
    /// SQLite does not wait by itself here: two connections that both hold a lock would wait for
    /// each other for ever.
    static func switchToLog(_ db: Database) throws {
        for attempt in 1...switchAttempts {
            do {
                return try db.execute(sql: "PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && attempt < switchAttempts
            {
                usleep(switchPause)
            }
        }
    }
}
