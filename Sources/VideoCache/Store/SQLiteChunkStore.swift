internal import GRDB
import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Chunks in an SQLite database, one row each (B5, C1, C2, C5).
///
/// One save is one transaction. What a kill interrupts is rolled back when the database is opened
/// next, by SQLite itself. Opening reads no chunk.
public final class SQLiteChunkStore: ChunkStore {
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
    /// What is being read right now, and must not be evicted (C6).
    public let readers = ReaderRegistry()
    // An estimate of the log's size in bytes: what was saved since it was last emptied.
    private let logBytes: Atomic<Int64>

    /// Opens the store in a folder.
    ///
    /// - Parameters:
    ///   - folder: the cache's folder.
    ///   - access: whether to write, and whether to create what is absent.
    ///   - durability: what a commit must survive.
    /// - Throws: ``CacheError``; nothing that was there is changed then.
    public init(
        folder: String, access: Access = .readWrite, durability: Durability = .process
    ) throws(CacheError) {
        path = folder + "/" + SQLiteSchema.fileName
        logBytes = Atomic(Self.size(of: path + "-wal"))
        if access == .readWrite {
            try Self.createFolder(folder)
        } else if Self.size(of: path) == 0 {
            throw .absent(folder: folder)
        }
        queue = try Self.open(path, access: access, durability: durability)
    }

    private static func open(
        _ path: String, access: Access, durability: Durability
    ) throws(CacheError) -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.label = "VideoCache"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.readonly = access == .readOnly
        configuration.prepareDatabase { db in
            if access == .readOnly {
                if try SQLiteSchema.isNew(db, path: path) {
                    throw CacheError.notACache(path: path, reason: "an empty database")
                }
            } else {
                try SQLiteSchema.prepare(db, path: path, durability: durability)
            }
        }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw cacheError(error, path: path, isOpening: true)
        }
    }

    /// Runs the body on the connection, and turns what it throws into the cache's errors.
    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw Self.cacheError(error, path: path)
        }
    }

    /// Runs the body in one transaction, committed when the call returns.
    func transaction<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
        try access { db in
            var value: Value?
            try db.inTransaction(.immediate) {
                value = try body(db)
                return .commit
            }
            guard let value else {
                throw CacheError.inputOutput(path: path, reason: "the transaction did not run")
            }
            return value
        }
    }

    /// Counts bytes that the log has grown by.
    func logGrew(by bytes: Int64) {
        logBytes.add(bytes, ordering: .relaxed)
    }

    /// Notes that the bytes of a range were used, so that others are evicted before them (C6).
    public func noteUse(of range: ByteRange, in video: CachedVideo) {}

    /// True when the log has grown beyond 4 MB.
    public var checkpointIsDue: Bool { logBytes.load(ordering: .relaxed) > Self.checkpointLimit }

    /// Copies the log into the database; the next save then begins the log anew.
    ///
    /// Does nothing while another process is doing it: what was committed is safe in the log.
    public func checkpoint() throws(CacheError) {
        do {
            try access { db in _ = try db.checkpoint(.passive) }
        } catch .busy {
            return
        }
        logBytes.store(0, ordering: .relaxed)
    }

    /// The bytes that the database, its log and its index take on disk.
    public var diskBytes: Int64 {
        ["", "-wal", "-shm"].reduce(0) { $0 + Self.size(of: path + $1) }
    }

    /// Copies the log into the database and closes it.
    public func close() throws(CacheError) {
        do {
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
