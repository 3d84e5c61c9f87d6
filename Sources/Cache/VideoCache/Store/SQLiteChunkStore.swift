internal import Foundation
internal import GRDB
import Synchronization

/// Stores chunks under an SQLite index, their bytes in rows or in files (B5, C1, C2, C5, C6).
///
/// One save is one transaction. SQLite rolls back what a kill interrupted when the database is next
/// opened. Bytes that the kill left in files are freed by the next writer, at the latest at the
/// next launch. Opening reads no chunk, but in files after a copy, or where the power may have been
/// cut, it reads all of them (``recover()``).
package final class SQLiteChunkStore: ChunkStore, IndexAccess {
    /// The WAL is checkpointed when it has grown beyond this many bytes.
    static let checkpointLimit: Int64 = 4 << 20

    struct Opened: Sendable {
        var connection: IndexConnection
        var files: FileStorage?
    }

    // Opened anew once what could only be read can be written.
    let opened: Mutex<Opened>
    let wish: SQLiteSchema.Wish
    /// False for a store that was opened to be read only.
    let mayWrite: Bool
    private var connection: IndexConnection { opened.withLock { $0.connection } }
    var queue: DatabaseQueue { connection.queue }
    /// Why nothing can be written; nil if it can.
    package var refusal: CacheError? { connection.refusal }
    package let path: String
    package let layout: StorageLayout
    /// The most bytes that all chunks together may have; nil sets no limit (C6).
    package let capacity: Int64?
    /// The ranges that are being read, and must not be evicted (C6).
    package let readers = ReaderRegistry()
    /// Is told what is evicted, before it is evicted.
    package let observer: any CacheObserver
    /// Where the bytes are with the layout `file`; nil if SQLite's own transactions cover them.
    var files: FileStorage? { opened.withLock { $0.files } }
    let rows: RowStorage
    let memory: MemoryTier?
    let uses = Mutex(RecentUses())
    /// How many chunks of a video were dropped at the launch, by its number, until that is told (F5).
    let lostAtLaunch = Mutex<[Int64: Int]>([:])
    var isReadOnly: Bool { refusal != nil }
    /// True if the index may be older than the bytes (K14).
    var isInDoubt: Bool { connection.isInDoubt }
    // The database's file; nil if it was removed while it was opened.
    private let home: FileFacts?
    // The generation that the database certainly has without its WAL; -1 until it is known.
    private let knownBase = Atomic<Int64>(-1)
    private let isInOrder = Atomic(false)
    // False if what a kill or a power cut left was not looked at, because nothing can be written.
    let isRecovered = Atomic(false)
    let durability: Durability
    let system: FileSystem
    var logPath: String { path + "-wal" }
    /// The size of the database's pages in bytes.
    let pageSize: Int
    // An estimate of the WAL's size in bytes: what was saved since the last checkpoint.
    private let logBytes: Atomic<Int64>

    package var disk: SQLiteChunkStore { self }

    /// Opens the store in a folder as ``VideoCache`` does, and evicts at once what exceeds the capacity.
    ///
    /// Several stores, even of several processes, may be open in one folder. Each enforces its own
    /// capacity when it saves. With `isClearing` it can only remove videos, which needs no recovery.
    package init(
        folder: String, access: CacheAccess = .readWrite, durability: Durability = .process,
        layout: StorageLayout? = nil, capacity: Int64? = nil, memory: MemoryTier? = nil,
        observer: any CacheObserver = SilentObserver(), system: FileSystem = .ofThisMachine,
        isClearing: Bool = false
    ) throws(CacheError) {
        path = folder + "/" + SQLiteSchema.fileName
        (self.durability, self.system) = (durability, system)
        self.capacity = capacity.map { max(0, $0) }
        self.observer = observer
        logBytes = Atomic(Self.size(of: path + "-wal"))
        if access == .readWrite {
            try Self.createFolder(folder)
        } else {
            try OpenFile.expectVisible(path)
            guard Self.size(of: path) > 0 else { throw .absent(folder: folder) }
        }
        mayWrite = access != .readOnly
        wish = SQLiteSchema.Wish(folder: folder, layout: layout, durability: durability)
        let connection = try IndexConnection.open(wish, access: access, isClearing: isClearing)
        let found = connection.found
        home = connection.home
        self.layout = found.layout ?? .rows
        pageSize = found.pageSize
        rows = RowStorage(memory: memory)
        self.memory = memory
        let files =
            self.layout.index.hasBytes
            ? nil
            : try FileStorage(
                folder: folder, access: connection.refusal == nil ? access : .readOnly,
                durability: durability, system: system, memory: memory)
        opened = Mutex(Opened(connection: connection, files: files))
        // What is cleared needs no recovery, for which a full disk has no room.
        guard !isReadOnly, !isClearing else { return }
        if durability == .power { try syncDatabase(in: folder) }
        try recover()
    }

    /// True if rows may lack their bytes, and no launch was able to look.
    package var isDoubtful: Bool {
        !isRecovered.load(ordering: .relaxed) && (try? isVerified()) == false
    }

    /// Syncs the existing database: its creator may not have waited for the disk, and then no
    /// commit in its WAL would survive a power cut.
    ///
    /// The folder itself is an entry of the folder above, and that may be new, too, and so on: the
    /// creator may have been killed before it had synced them. A launch has no record of that, and
    /// syncing a folder that is on disk takes less than a millisecond.
    private func syncDatabase(in folder: String) throws(CacheError) {
        do {
            try access { db in try db.syncFile() }
        } catch {
            // The next launch would sync without writing anything.
            if case .inputOutput = error { try? rewriteIndex() }
            throw error
        }
        try system.syncFolder(folder)
        for above in Self.foldersAbove(folder) {
            do {
                try system.syncFolder(above)
            } catch .readOnly {
                // A folder that may be entered but not read cannot be synced.
                continue
            }
        }
    }

    /// The folders above a folder, up to the root of its file system, which is no entry of it.
    private static func foldersAbove(_ folder: String) -> [String] {
        var (found, path): ([String], String) = ([], folder)
        guard var here = FileFacts(path) else { return [] }
        while let above = FileFacts(path + "/.."), above.device == here.device,
            above.number != here.number
        {
            path += "/.."
            found.append(path)
            here = above
        }
        return found
    }

    /// Runs the body on the connection, and converts what it throws to the cache's errors.
    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
        do {
            return try connection.access(body)
        } catch {
            throw Self.cacheError(error, path: path)
        }
    }

    /// True while the database and the folder of its files are those that were opened, and no other
    /// cache can have begun in their place (K13).
    var isInPlace: Bool {
        guard let home, let now = FileFacts(path), now.isSame(as: home) else { return false }
        return files?.data.isInPlace ?? true
    }

    /// The generation that the database certainly has without its WAL.
    var base: Int64 { max(0, knownBase.load(ordering: .relaxed)) }

    /// Notes the generation of a database without a WAL; the write lock is held.
    func noteBase(beginning change: IndexChange) {
        guard knownBase.load(ordering: .relaxed) < 0 else { return }
        let isAll = Self.size(of: logPath) == 0
        knownBase.store(isAll ? change.generation : 0, ordering: .relaxed)
    }

    func logGrew(by bytes: Int64) { logBytes.add(bytes, ordering: .relaxed) }

    /// Approximately how many bytes the WAL grows by for a save of `bytes` bytes.
    func logGrowth(for bytes: Int64) -> Int64 {
        // The pages that it changes besides those of the bytes: index rows and their parent pages.
        files == nil ? bytes + 6 * Int64(pageSize) : 7 * Int64(pageSize)
    }

    /// Records a use, so that others are evicted first (C6); a kill loses only the recent order.
    package func noteUse(of range: ByteRange, in video: CachedVideo) {
        uses.withLock { $0.note(range, ofVideo: video.id) }
    }

    package var checkpointIsDue: Bool { logBytes.load(ordering: .relaxed) > Self.checkpointLimit }

    /// Checkpoints the WAL, unless another process does: what was committed is safe in it.
    package func checkpoint() throws(CacheError) {
        guard !isReadOnly else { return }
        do {
            _ = try mendingLog { () throws(CacheError) in try isCheckpointed() }
        } catch .busy {
            return
        } catch .diskFull {
            // The database cannot grow; what was committed is safe in the WAL as well.
            return
        }
        logBytes.store(0, ordering: .relaxed)
    }

    /// Checkpoints; false where some of it had to wait for another process.
    private func isCheckpointed() throws(CacheError) -> Bool {
        try access { db in
            let generation = try IndexChange.generation(in: db)
            let done = try db.checkpoint(.passive)
            guard done.walFrameCount == done.checkpointedFrameCount else { return false }
            knownBase.store(generation, ordering: .relaxed)
            return true
        }
    }

    /// Writes everything that was deferred, once; a later launch retries what fails.
    package func flushPending() {
        guard !isReadOnly, !isInOrder.exchange(true, ordering: .relaxed) else { return }
        writeWhatIsLeft()
    }

    /// The bytes that the database, its WAL and WAL index, and the data files occupy on disk.
    package var diskBytes: Int64 {
        ["", "-wal", "-shm"].reduce(files?.data.diskBytes ?? 0) { $0 + Self.size(of: path + $1) }
    }

    package func close() throws(CacheError) {
        flushPending()
        do {
            // SQLite checkpoints when the last connection closes.
            try connection.close()
        } catch {
            throw Self.cacheError(error, path: path)
        }
    }
}

extension SQLiteChunkStore {
    private static func size(of path: String) -> Int64 { FileFacts(path)?.size ?? 0 }

    private static func createFolder(_ folder: String) throws(CacheError) {
        if FileFacts(folder)?.kind == S_IFDIR { return }
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
                let reason = String(cString: strerror(errno))
                throw .cannotCreate(path: folder, reason: reason)
            }
        }
        guard FileFacts(folder)?.kind == S_IFDIR else {
            throw .cannotCreate(path: folder, reason: "it is a file")
        }
    }

    package static func cacheError(
        _ error: any Error, path: String, isOpening: Bool = false
    ) -> CacheError {
        if let error = error as? CacheError { return error }
        guard let error = error as? DatabaseError else {
            return .inputOutput(path: path, reason: "\(error)")
        }
        let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        if error.resultCode == .SQLITE_IOERR, FileSizeLimit.isReached(byDatabase: path) {
            return .fileTooLarge(path: path)
        }
        if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return .diskFull(path: path) }
        return switch error.resultCode {
        case .SQLITE_FULL: .diskFull(path: path)
        case .SQLITE_NOTADB: .notACache(path: path, reason: "no database")
        // A constraint fails only if a chunk exists that does not count as cached.
        case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT:
            .notACache(path: path, reason: "a damaged database")
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly(path: path)
        // The WAL is a new file, for which a disk may have no inode left.
        case .SQLITE_CANTOPEN where isOpening && size(of: path) > 0:
            DiskReserve.takesNoFile(at: path) ? .diskFull(path: path) : .readOnly(path: path)
        case .SQLITE_CANTOPEN where isOpening: .cannotCreate(path: path, reason: reason)
        default: .inputOutput(path: path, reason: reason)
        }
    }
}
