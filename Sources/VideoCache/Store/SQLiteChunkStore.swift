internal import GRDB
import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Chunks under an SQLite index, their bytes in its rows or in files beside it (B5, C1, C2, C5, C6).
///
/// One save is one transaction. What a kill interrupts is rolled back when the database is opened
/// next, by SQLite itself; bytes that it left in files are freed by whoever writes next, at the
/// latest at the next launch. Opening reads no chunk, but in files, after a copy, and unless all was
/// synced after a start of the machine or a remount: then it reads all of them once, also when the
/// cache was closed, and drops those whose bytes were lost with the power. Where the system cannot
/// tell whether any of that has happened (before Linux 6.8, and on macOS), it reads all of them
/// after every kill.
public final class SQLiteChunkStore: ChunkStore, IndexAccess {
    /// How a store is opened.
    public enum Access: Sendable, Hashable {
        /// Reads and writes; creates the folder and the database where they are absent.
        case readWrite
        /// Reads and writes a database that must be there.
        case existing
        /// Reads a database that must be there, and changes nothing.
        case readOnly
    }

    /// The log is copied into the database when it has grown beyond so many bytes.
    static let checkpointLimit: Int64 = 4 << 20

    let queue: DatabaseQueue
    /// The database's path.
    public let path: String
    /// Where the bytes are kept.
    public let layout: StorageLayout
    /// The most bytes that all chunks together may have; nil sets no limit (C6).
    public let capacity: Int64?
    /// What is being read right now, and must not be evicted (C6).
    public let readers = ReaderRegistry()
    /// Is told what is evicted, before it is.
    let observer: any CacheObserver
    let storage: any ByteStorage
    let uses = Mutex(UseBook())
    let isReadOnly: Bool
    private let isInOrder = Atomic(false)
    let durability: Durability
    /// The write-ahead log's path.
    var logPath: String { path + "-wal" }
    /// The size of the database's pages in bytes.
    let pageSize: Int
    /// True where rows have checksums; false where an older database is only read.
    let hasRowChecksums: Bool
    // An estimate of the log's size in bytes: what was saved since it was last emptied.
    private let logBytes: Atomic<Int64>

    /// Opens the store in a folder.
    ///
    /// Several stores, also of several processes, may be open in one folder. Each keeps to its own
    /// capacity when it saves.
    ///
    /// - Parameters:
    ///   - folder: the cache's folder.
    ///   - access: whether to write, and whether to create what is absent.
    ///   - durability: what a commit must survive.
    ///   - layout: where to keep the bytes; nil takes what is there, and files for a new cache.
    ///   - capacity: the most bytes that all chunks together may have; what is there beyond it is
    ///     evicted at once. Nil sets no limit.
    ///   - observer: is told what is evicted, before that is committed.
    /// - Throws: ``CacheError``; nothing that was there is changed then.
    public convenience init(
        folder: String, access: Access = .readWrite, durability: Durability = .process,
        layout: StorageLayout? = nil, capacity: Int64? = nil,
        observer: any CacheObserver = SilentObserver()
    ) throws(CacheError) {
        try self.init(
            folder: folder, access: access, durability: durability, layout: layout,
            capacity: capacity, observer: observer, identity: .ofThisSystem)
    }

    /// Opens the store on a system that tells of itself and its files what is given.
    init(
        folder: String, access: Access, durability: Durability, layout: StorageLayout?,
        capacity: Int64?, observer: any CacheObserver = SilentObserver(), identity: FileIdentity
    ) throws(CacheError) {
        path = folder + "/" + SQLiteSchema.fileName
        isReadOnly = access == .readOnly
        self.durability = durability
        self.capacity = capacity.map { max(0, $0) }
        self.observer = observer
        logBytes = Atomic(Self.size(of: path + "-wal"))
        if access == .readWrite {
            try Self.createFolder(folder)
        } else if Self.size(of: path) == 0 {
            throw .absent(folder: folder)
        }
        let wish = SQLiteSchema.Wish(path: path, layout: layout, durability: durability)
        let (queue, found) = try Self.open(wish, access: access)
        self.queue = queue
        self.layout = found.layout ?? .rows
        pageSize = found.pageSize
        hasRowChecksums = found.hasRowChecksums
        storage =
            switch self.layout {
            case .rows: RowStorage(pageSize: pageSize, hasRowChecksums: hasRowChecksums)
            case .file:
                try FileStorage(
                    folder: folder, access: access, durability: durability, pageSize: pageSize,
                    identity: identity)
            }
        guard access != .readOnly else { return }
        if durability == .power { try syncDatabase(in: folder) }
        try recover()
    }

    /// Puts the database on the disk as it was found: whoever has made it may not have waited, and
    /// then no commit in its log would be worth anything after a cut of the power.
    private func syncDatabase(in folder: String) throws(CacheError) {
        try access { db in try db.syncFile() }
        try OpenFile.flush(folder)
    }

    /// What the preparation of a connection has found.
    private final class Sight: Sendable {
        let found = Mutex<SQLiteSchema.Found?>(nil)
    }

    private static func open(
        _ wish: SQLiteSchema.Wish, access: Access
    ) throws(CacheError) -> (DatabaseQueue, SQLiteSchema.Found) {
        let sight = Sight()
        var configuration = GRDB.Configuration()
        configuration.label = "VideoCache"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.readonly = access == .readOnly
        configuration.prepareDatabase { db in
            let found =
                access == .readOnly
                ? try SQLiteSchema.look(db, wish: wish) : try SQLiteSchema.prepare(db, wish: wish)
            if found.version == 0 {
                throw CacheError.notACache(path: wish.path, reason: "an empty database")
            }
            sight.found.withLock { $0 = found }
        }
        do {
            return try connect(wish.path, configuration, sight)
        } catch {
            guard case .notACache = error, access == .readWrite, BlankDatabase.empty(wish.path)
            else { throw error }
        }
        return try connect(wish.path, configuration, sight)
    }

    private static func connect(
        _ path: String, _ configuration: GRDB.Configuration, _ sight: Sight
    ) throws(CacheError) -> (DatabaseQueue, SQLiteSchema.Found) {
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            guard let found = sight.found.withLock({ $0 }) else {
                throw CacheError.inputOutput(path: path, reason: "the database was not looked at")
            }
            return (queue, found)
        } catch {
            throw cacheError(error, path: path, isOpening: true)
        }
    }

    /// Runs the body on the connection, and turns what it throws into the cache's errors.
    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
        do {
            return try queue.writeWithoutTransaction { db in
                // SQLite says "out of memory" of a connection that is none, or crashes.
                guard db.sqliteConnection != nil else { throw CacheError.closed(path: path) }
                return try body(db)
            }
        } catch {
            throw Self.cacheError(error, path: path)
        }
    }

    /// Counts bytes that the log has grown by.
    func logGrew(by bytes: Int64) {
        logBytes.add(bytes, ordering: .relaxed)
    }

    /// Notes that the bytes of a range were used, so that others are evicted before them (C6).
    public func noteUse(of range: ByteRange, in video: CachedVideo) {
        uses.withLock { $0.note(range, ofVideo: video.id) }
    }

    /// True when the log has grown beyond 4 MB.
    public var checkpointIsDue: Bool { logBytes.load(ordering: .relaxed) > Self.checkpointLimit }

    /// Copies the log into the database; the next save then begins the log anew.
    ///
    /// Does nothing while another process is doing it: what was committed is safe in the log.
    public func checkpoint() throws(CacheError) {
        guard !isReadOnly else { return }
        do {
            try access { db in _ = try db.checkpoint(.passive) }
        } catch .busy {
            return
        }
        logBytes.store(0, ordering: .relaxed)
    }

    /// Writes down what can wait no longer, once; what fails is done by a later launch.
    public func leaveInOrder() {
        guard !isReadOnly, !isInOrder.exchange(true, ordering: .relaxed) else { return }
        writeWhatIsLeft()
    }

    /// The bytes that the database, its log and its index, and the data files take on disk.
    public var diskBytes: Int64 {
        ["", "-wal", "-shm"].reduce(storage.diskBytes) { $0 + Self.size(of: path + $1) }
    }

    /// Writes what is left to write, copies the log into the database and closes it.
    public func close() throws(CacheError) {
        leaveInOrder()
        do {
            // The last connection copies the log when it goes.
            try queue.close()
        } catch {
            throw Self.cacheError(error, path: path)
        }
    }
}

extension SQLiteChunkStore {
    private static func size(of path: String) -> Int64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Creates the folder and those above it.
    private static func createFolder(_ folder: String) throws(CacheError) {
        var facts = stat()
        if stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR { return }
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            if mkdir(path, 0o777) != 0, errno != EEXIST {
                let reason = String(cString: strerror(errno))
                throw .cannotCreate(path: folder, reason: reason)
            }
        }
        guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw .cannotCreate(path: folder, reason: "it is a file")
        }
    }

    /// The cache's error for what SQLite reports.
    static func cacheError(
        _ error: any Error, path: String, isOpening: Bool = false
    ) -> CacheError {
        if let error = error as? CacheError { return error }
        guard let error = error as? DatabaseError else {
            return .inputOutput(path: path, reason: "\(error)")
        }
        let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return .diskFull(path: path) }
        return switch error.resultCode {
        case .SQLITE_FULL: .diskFull(path: path)
        case .SQLITE_NOTADB: .notACache(path: path, reason: "no database")
        // A constraint fails only where a chunk lies that is not counted as cached.
        case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT:
            .notACache(path: path, reason: "a damaged database")
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly(path: path)
        case .SQLITE_CANTOPEN where isOpening:
            size(of: path) > 0
                ? .readOnly(path: path) : .cannotCreate(path: path, reason: reason)
        default: .inputOutput(path: path, reason: reason)
        }
    }
}
