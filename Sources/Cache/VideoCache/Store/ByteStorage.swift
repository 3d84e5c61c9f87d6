internal import GRDB

/// Stores the bytes of chunks: the part in which the storage layouts differ.
///
/// The index, its transactions and eviction are the same in all layouts. Every method that writes
/// is called in a transaction that holds the database's write lock, which protects the bytes too.
protocol ByteStorage: Sendable {
    /// Finds leftover bytes that no committed row refers to.
    ///
    /// - Parameters:
    ///   - atLaunch: true when nothing is known yet of earlier events.
    ///   - db: the connection, in a write transaction that has changed nothing yet.
    /// - Returns: how far rows can be trusted, and what must be freed.
    /// - Throws: ``CacheError`` or the database's error.
    func leftovers(atLaunch: Bool, in db: Database) throws -> (trust: Trust, doubt: Doubt)
    /// Frees the bytes that no committed row refers to, and records that none is in doubt any more.
    ///
    /// No-op if another writer has taken over the bytes since: it frees them after a commit.
    ///
    /// - Parameters:
    ///   - doubt: what was announced. Its rows were never committed, or another commit has
    ///     overwritten theirs in the WAL.
    ///   - db: the connection, in a write transaction that has changed nothing yet.
    /// - Throws: ``CacheError`` or the database's error; the next writer then frees the bytes.
    func free(_ doubt: Doubt, in db: Database) throws
    /// Records what is in doubt if this transaction fails, or was only just committed.
    ///
    /// - Parameters:
    ///   - doubt: the bytes.
    ///   - trust: how far rows can be trusted so far.
    ///   - changesRows: false if no row of these bytes is added or removed, and they are freed only
    ///     when that is on disk.
    /// - Returns: how far rows can be trusted from now on.
    /// - Throws: ``CacheError``.
    func announce(_ doubt: Doubt, trust: Trust, changesRows: Bool) throws -> Trust
    /// Writes a chunk's bytes and its row.
    func insert(_ chunk: Chunk, ofVideo id: Int64, in db: Database) throws
    /// Makes a video's new bytes as durable as the cache promises, before their rows are.
    func flush(video id: Int64) throws
    /// The chunk that holds the byte at `offset`, or the first one after it (C1, C5).
    ///
    /// - Parameters:
    ///   - id: the video's number.
    ///   - offset: the position in the video.
    ///   - index: access to the index, to find the row.
    ///   - ahead: rows from earlier lookups, which may include this one; updated by a lookup.
    /// - Returns: the chunk, without bytes if they are damaged; nil if there is none.
    /// - Throws: ``CacheError``.
    func chunk(
        ofVideo id: Int64, from offset: Int64, index: any IndexAccess, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk?
    /// What a launch can trust; read without the lock.
    func standing() throws(CacheError) -> Standing
    /// True if a later launch can tell whether unsynced bytes were lost.
    var canDetectReboot: Bool { get }
    /// True when this store's last note has bytes in doubt, which the next launch would settle.
    var leavesDoubt: Bool { get }
    /// Waits until all written bytes and the WAL are on disk.
    ///
    /// Needs no lock, so others can write meanwhile.
    ///
    /// - Parameter log: the path of the WAL.
    /// - Throws: ``CacheError``.
    func flush(log: String) throws(CacheError)
    /// Makes all bytes and all rows durable, and records that they are.
    ///
    /// - Parameters:
    ///   - log: the path of the WAL; no commit may be in progress, and the database's main file
    ///     must be on disk.
    ///   - doubt: the bytes that are still in doubt.
    /// - Throws: ``CacheError``; then nothing is recorded.
    func sync(log: String, doubt: Doubt) throws(CacheError)
    /// The chunks of a video with bytes that do not match their rows, at a first check.
    ///
    /// May include chunks that are evicted or saved meanwhile: the caller must check again.
    ///
    /// - Parameters:
    ///   - id: the video's number.
    ///   - index: access to the index, to find the rows.
    /// - Returns: their ranges, in ascending order.
    /// - Throws: ``CacheError``.
    func unfitChunks(
        ofVideo id: Int64, index: any IndexAccess
    ) throws(CacheError) -> [ByteRange]
    /// Approximately how many bytes the WAL grows by for a chunk of `bytes` bytes.
    func logBytes(for bytes: Int64) -> Int64
    /// The bytes on disk outside the database.
    var diskBytes: Int64 { get }
}

/// How far rows can be trusted before their bytes are checked.
enum Trust {
    /// Not at all: a power cut may have left rows without their bytes.
    case none
    /// Until the next power cut: no written bytes can have been lost so far.
    case thisLife
    /// In any case: all bytes are on disk.
    case synced
}

/// What is known of the bytes before they are checked.
struct Standing {
    /// How far rows can be trusted.
    var trust: Trust
    /// True when no byte is in doubt, so a launch has nothing to settle.
    var isSettled: Bool
}

/// Runs lookups in the index, each in one snapshot.
protocol IndexAccess {
    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value
}

/// Runs lookups in the index within a transaction.
struct LockedIndex: IndexAccess {
    /// The connection, in the transaction.
    let db: Database
    /// The database's path, for errors.
    let path: String

    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
        do {
            return try body(db)
        } catch {
            throw SQLiteChunkStore.cacheError(error, path: path)
        }
    }
}

/// Bytes that are a chunk's or orphaned; only the committed index can tell.
struct Doubt {
    /// The ranges, each with its video's number.
    var ranges: [(video: Int64, range: ByteRange)] = []
    /// True if any byte of any video may be in doubt.
    var isEverything = false

    /// True when no byte is in doubt.
    var isEmpty: Bool { ranges.isEmpty && !isEverything }

    /// True if both have the same ranges, in the same order.
    func isSame(as other: Doubt) -> Bool {
        isEverything == other.isEverything && ranges.elementsEqual(other.ranges, by: ==)
    }

    /// Combines two sets of bytes in doubt.
    static func + (first: Doubt, second: Doubt) -> Doubt {
        Doubt(
            ranges: first.ranges + second.ranges,
            isEverything: first.isEverything || second.isEverything)
    }
}

extension ByteRange {
    /// Every position that a file can have.
    static let everywhere = Self(offset: 0, length: Int64.max)
}

/// The SQL that finds chunks in either layout.
enum ChunkSearch {
    /// The columns of the chunk that holds `:offset`, or of the first one after it.
    ///
    /// Chunks never overlap, so only the last one that begins at or before the offset can hold it.
    /// The search takes as long among many chunks as among few. A limit above 1 also returns the
    /// chunks that follow.
    static func sql(columns: String, limit: Int = 1) -> String {
        """
        SELECT \(columns) FROM chunk
        WHERE video_id = :video AND offset >= IFNULL((
            SELECT MAX(offset) FROM chunk WHERE video_id = :video AND offset <= :offset), 0)
            AND offset + length > :offset
        ORDER BY offset LIMIT \(limit)
        """
    }
}
