package import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The connection to the index, and what it may do.
///
/// One that only observes takes no lock where there is nothing to lock, so another process may
/// change the files: then it is opened anew, and what was read meanwhile is read again.
final class IndexConnection: Sendable {
    private static let mostLooks = 4

    private struct State {
        var queue: DatabaseQueue
        /// The files when an observer was opened; nil if locks protect what it reads.
        var seen: IndexFiles?
    }

    /// Why nothing can be written; nil if it can.
    let refusal: CacheError?
    /// True if no row can be believed before its bytes were read: the database may be older than
    /// they are.
    let isInDoubt: Bool
    let found: SQLiteSchema.Found
    /// The database's file when it was opened; nil if it was removed or replaced meanwhile.
    let home: FileFacts?
    private let wish: SQLiteSchema.Wish
    private let state: Mutex<State>

    private init(
        _ queue: DatabaseQueue, _ found: SQLiteSchema.Found, _ wish: SQLiteSchema.Wish,
        seen: IndexFiles? = nil, refusal: CacheError? = nil, isInDoubt: Bool = false
    ) {
        (self.found, self.wish, self.refusal, self.isInDoubt) = (found, wish, refusal, isInDoubt)
        let file = FileFacts(wish.path)
        // The file at the path may be another one already.
        let hasMoved = queue.inDatabase { $0.hasMoved }
        home = hasMoved ? nil : file
        state = Mutex(State(queue: queue, seen: seen))
    }

    /// True if closing the connection does not release locks of others of this process.
    ///
    /// The system releases all locks that a process has on a file with any descriptor of it; only
    /// SQLite's own locking takes care of that.
    var canBeOpenedAnew: Bool {
        state.withLock { state in state.seen.map { $0.observed?.isAlone != true } ?? true }
    }

    var queue: DatabaseQueue { state.withLock { $0.queue } }

    /// Opens the database as far as it can be: to be written, or else to be read.
    ///
    /// A disk without room, a file system that can only be read and a folder of another user keep
    /// nothing from being read: such a database is observed, and every change throws the reason.
    /// Where the WAL index cannot be shared between processes, this one uses the database alone.
    ///
    /// - Parameter isClearing: on a full disk, uses the database alone instead of observing it.
    static func open(
        _ wish: SQLiteSchema.Wish, access: CacheAccess, isClearing: Bool
    ) throws(CacheError) -> IndexConnection {
        let files = IndexFiles(wish.path)
        guard access != .readOnly, files.areWritable || files.database == nil else {
            return try observe(wish, because: .readOnly(path: wish.path))
        }
        // SQLite would take a folder in the place of the WAL index for one that it may only read.
        if files.hasLogIndex, OwnFolder.removeFolders(of: wish.path) {
            return try open(wish, access: access, isClearing: isClearing)
        }
        do {
            return try create(wish, access: access)
        } catch  where OwnFolder.removeFolders(of: wish.path) {
            return try open(wish, access: access, isClearing: isClearing)
        } catch {
            let reason = SQLiteChunkStore.cacheError(error, path: wish.path, isOpening: true)
            guard IndexFiles(wish.path).database?.size ?? 0 > 0 else { throw reason }
            if files.log == nil { OwnFolder.removeEmptyLog(of: wish.path) }
            switch reason {
            case .diskFull where !isClearing, .readOnly: return try observe(wish, because: reason)
            case .diskFull: break
            case .inputOutput where (error as? DatabaseError)?.isOfLogIndex == true: break
            default: throw reason
            }
        }
        do {
            return try connect(wish, wish.path, alone: true)
        } catch {
            let reason = SQLiteChunkStore.cacheError(error, path: wish.path, isOpening: true)
            // A disk that takes no file has none for a WAL. What is there tells what can be emptied.
            guard case .diskFull = reason else { throw reason }
            return try observe(wish, because: reason)
        }
    }

    /// Opens the database to be written, by this process and others; without a WAL of another time.
    ///
    /// What is damaged beyond repair is begun anew, if it is a cache's and may be created.
    private static func create(
        _ wish: SQLiteSchema.Wish, access: CacheAccess
    ) throws -> IndexConnection {
        try LogIndexRoom.expect(in: wish.folder)
        let hasLog = IndexFiles(wish.path).log?.size ?? 0 > 0
        let age = hasLog ? try IndexAge.verdict(wish.path) : .one
        // A connection that closes would copy the WAL into the database.
        if age == .two { try OwnFolder.removeLog(of: wish.path) }
        do {
            let connection = try connect(wish, wish.path, isInDoubt: age != .one)
            let isSound = try age == .one || connection.access(SQLiteChunkStore.isSound)
            if isSound {
                try connection.access { try LogIndexRoom.take(in: wish.folder, $0) }
                return connection
            }
            try connection.close()
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        } catch {
            guard case .notACache = SQLiteChunkStore.cacheError(error, path: wish.path),
                access == .readWrite
            else { throw error }
            if !BlankDatabase.empty(wish.path) {
                guard (try? OwnFolder.empty(wish.folder)) != nil else { throw error }
            }
        }
        return try connect(wish, wish.path, isInDoubt: true)
    }

    private static func observe(
        _ wish: SQLiteSchema.Wish, because refusal: CacheError
    ) throws(CacheError) -> IndexConnection {
        do {
            let (queue, found, seen) = try look(wish)
            return IndexConnection(queue, found, wish, seen: seen, refusal: refusal)
        } catch {
            throw SQLiteChunkStore.cacheError(error, path: wish.path, isOpening: true)
        }
    }

    private static func look(
        _ wish: SQLiteSchema.Wish
    ) throws -> (DatabaseQueue, SQLiteSchema.Found, IndexFiles?) {
        let files = IndexFiles(wish.path)
        return try files.observe { name, isAlone in
            let open = try connect(wish, name, reading: true, alone: isAlone)
            let isLocked = files.observed == nil || files.sharesLogIndex && !isAlone
            return (open.queue, open.found, isLocked ? nil : files)
        }
    }

    private static func connect(
        _ wish: SQLiteSchema.Wish, _ name: String, reading: Bool = false, alone: Bool = false,
        isInDoubt: Bool = false
    ) throws -> IndexConnection {
        let configuration = GRDB.Configuration(reading: reading, alone: alone) { db in
            guard reading else { return try SQLiteSchema.prepare(db, wish: wish) }
            if try SQLiteSchema.look(db, wish: wish).isNew {
                throw CacheError.notACache(path: wish.path, reason: "an empty database")
            }
        }
        let queue = try DatabaseQueue(path: name, configuration: configuration)
        let found = try queue.writeWithoutTransaction { try SQLiteSchema.look($0, wish: wish) }
        return IndexConnection(queue, found, wish, isInDoubt: isInDoubt)
    }

    /// Runs the body on the connection; one that observes may run it again.
    func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var looks = 0
        while true {
            looks += 1
            let (queue, seen) = state.withLock { ($0.queue, $0.seen) }
            let result = Result {
                try queue.writeWithoutTransaction { db in
                    // On a closed connection SQLite reports "out of memory", or crashes.
                    guard db.sqliteConnection != nil else {
                        throw CacheError.closed(path: wish.path)
                    }
                    return try body(db)
                }
            }
            // Another database in its place is none of this one's.
            let now = IndexFiles(wish.path)
            guard let seen, now != seen, looks < Self.mostLooks, now.isSameDatabase(as: seen) else {
                return try result.get()
            }
            let (anew, _, files) = try Self.look(wish)
            state.withLock { $0 = State(queue: anew, seen: files) }
        }
    }

    func close() throws { try queue.close() }
}

extension GRDB.Configuration {
    /// Of a connection that waits for locks as all do; where `alone`, no other process uses it.
    package init(
        reading: Bool, alone: Bool,
        prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.init()
        busyMode = .timeout(5)
        readonly = reading
        prepareDatabase { db in
            // Before the first look, or the WAL index would be opened for it.
            if alone { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            if reading { try db.keepLog() }
            try prepare(db)
        }
    }
}

extension Database {
    /// Leaves the WAL where it is when the connection closes.
    ///
    /// Without locks this connection takes itself for the last one. A WAL without a whole commit would
    /// be removed, and with it what another process writes to it from then on.
    package func keepLog() throws {
        var isKept: CInt = 1
        let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// True if the open file is no longer the one at its path.
    fileprivate var hasMoved: Bool {
        var hasMoved: CInt = 0
        let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }
}

extension DatabaseError {
    /// True if the memory that processes share, with the index of the WAL, cannot be used.
    package var isOfLogIndex: Bool {
        [.SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMLOCK, .SQLITE_IOERR_SHMSIZE]
            .contains(extendedResultCode)
    }
}
