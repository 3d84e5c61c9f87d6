internal import GRDB

/// The database's layout, version 1; readable by any program that speaks SQLite.
enum SQLiteSchema {
    /// `PRAGMA user_version` of a database with this layout.
    static let version = 1
    /// The database's file name in the cache's folder.
    static let fileName = "cache.sqlite"
    /// The page size in bytes: with 512 KB chunks twice as fast as SQLite's own 4 KB.
    static let pageSize = 16 << 10

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
    static func isNew(_ db: Database, path: String) throws -> Bool {
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
                PRAGMA journal_mode = WAL;
                PRAGMA secure_delete = OFF;
                PRAGMA mmap_size = 0;
                PRAGMA wal_autocheckpoint = 0;
                """)
        guard isNew else { return }
        try db.inTransaction(.immediate) {
            // Another process may have been first, between the look and the lock.
            if try Self.isNew(db, path: path) {
                try db.execute(sql: tables)
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
            return .commit
        }
        try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
    }
}
