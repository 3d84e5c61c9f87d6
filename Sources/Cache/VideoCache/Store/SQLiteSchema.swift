internal import Foundation
package import GRDB
internal import GRDBSQLite

/// The database's layout; readable by any program that can use SQLite.
package enum SQLiteSchema {
    /// `PRAGMA user_version` of a database with this layout; another one is refused.
    static let version = 4
    static let fileName = "cache.sqlite"

    static let tableNames: Set<String> = ["video", "chunk", "cached_range"]

    // Together 5 s, the same as any other lock timeout.
    private static let switchAttempts = 1000
    private static let switchPause: UInt32 = 5000

    struct Wish {
        var folder: String
        var path: String { folder + "/" + SQLiteSchema.fileName }
        /// The layout asked for; nil takes the existing one, and files for a new database.
        var layout: StorageLayout?
        var durability: Durability
    }

    struct Found {
        /// Nil for a database without tables.
        var layout: StorageLayout?
        /// In bytes; SQLite's own for a database without tables.
        var pageSize: Int
        var isNew: Bool { layout == nil }
    }

    private static let sight = """
        SELECT (SELECT user_version FROM pragma_user_version),
            (SELECT page_size FROM pragma_page_size),
            EXISTS (SELECT 1 FROM pragma_table_info('chunk') WHERE name = 'bytes'), object.name
        FROM (SELECT 1) LEFT JOIN sqlite_master AS object
        """

    /// Looks before anything can change, by one statement: another process may be creating it.
    static func look(_ db: Database, wish: Wish) throws -> Found {
        let rows = try Row.fetchAll(db, sql: sight)
        guard let first = rows.first else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let (found, pageSize): (Int, Int) = (try first.value(0), try first.value(1))
        let hasBytes: Bool = try first.value(2)
        let names = Set(try rows.compactMap { try $0.valueIfAny(3) as String? })
        if found == 0, names.isEmpty { return Found(pageSize: pageSize) }
        // Without its tables, or without a version, it belongs to another program.
        let isForeign = !names.isEmpty && names.isDisjoint(with: tableNames)
        guard found == version || found == 0 || isForeign else {
            throw CacheError.otherSchema(path: wish.path, found: found, supported: version)
        }
        guard found == version, names.isSuperset(of: tableNames) else {
            throw CacheError.notACache(path: wish.path, reason: "another program's database")
        }
        let layout = StorageLayout.allCases.first { $0.index.hasBytes == hasBytes } ?? .standard
        guard wish.layout == nil || wish.layout == layout else {
            throw CacheError.otherStorage(path: wish.path, found: layout)
        }
        return Found(layout: layout, pageSize: pageSize)
    }

    /// Sets up a writing connection; a new database gets its page size and its tables.
    static func prepare(_ db: Database, wish: Wish) throws {
        let seen = try look(db, wish: wish)
        let isNew = seen.isNew
        let layout = seen.layout ?? wish.layout ?? .standard
        let synchronous = wish.durability == .power ? "FULL" : "NORMAL"
        // An empty database has nothing to lose in a power cut. Saves a dozen syncs.
        let atCreation = isNew && wish.durability == .process ? "OFF" : synchronous
        let format = """
            PRAGMA page_size = \(layout.index.pageSize);
            PRAGMA auto_vacuum = INCREMENTAL;
            """
        // `synchronous` comes first, because setting the format already writes.
        try db.runUnseen(
            """
            PRAGMA synchronous = \(atCreation);
            \(isNew ? format : "")
            PRAGMA secure_delete = OFF;
            PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA journal_size_limit = \(2 * SQLiteChunkStore.checkpointLimit);
            """)
        try switchToLog(db)
        guard isNew else { return }
        try db.transaction(.immediate) {
            // Another process may have created it before this one got the lock.
            guard try look(db, wish: wish).isNew else { return }
            try db.execute(sql: SQLiteTables.create(layout))
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
    }

    /// Turns the WAL on, even while another process does the same.
    ///
    /// SQLite does not wait for the lock here, because two connections that both hold a lock would
    /// deadlock.
    package static func switchToLog(_ db: Database) throws {
        for attempt in 1...switchAttempts {
            do {
                return try db.runUnseen("PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && attempt < switchAttempts
            {
                usleep(switchPause)
            }
        }
    }
}

extension StorageLayout {
    /// Whether an index has the bytes, by which its layout is told, and the page size of a new one,
    /// for which docs/downloader.md has the reasons.
    var index: (hasBytes: Bool, pageSize: Int) {
        switch self {
        case .rows: (true, 16 << 10)
        case .file: (false, 1 << 10)
        }
    }
}

extension Database {
    /// Waits until the database's main file is on disk.
    ///
    /// Uses SQLite's own descriptor: closing another descriptor of the same file would release this
    /// process's locks on it.
    func syncFile() throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard found == SQLITE_OK, let file, let sync = file.pointee.pMethods?.pointee.xSync else {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "the file cannot be synced")
        }
        let code = sync(file, SQLITE_SYNC_FULL)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    package func transaction<Value>(
        _ kind: TransactionKind, _ body: () throws -> Value
    ) throws -> Value {
        var value: Value?
        try inTransaction(kind) {
            value = try body()
            return .commit
        }
        guard let value else {
            throw DatabaseError(
                resultCode: .SQLITE_INTERNAL, message: "the transaction did not run")
        }
        return value
    }

    /// Runs statements without a result that change no table, in one call.
    ///
    /// GRDB's work around each statement, for observers and transactions, took longer than the
    /// statements themselves.
    fileprivate func runUnseen(_ sql: String) throws {
        let code = sqlite3_exec(sqliteConnection, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql)
        }
    }
}
