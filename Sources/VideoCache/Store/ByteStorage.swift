internal import GRDB

/// Where the bytes of chunks lie: the part in which the storage layouts differ.
///
/// The index, its transactions and eviction are the same in all of them. Whatever writes is called
/// in a transaction that holds the database's write lock, which is the lock on the bytes too.
protocol ByteStorage: Sendable {
    /// Looks for bytes that somebody has left and no committed row speaks of.
    ///
    /// - Parameters:
    ///   - atLaunch: true when nothing is known yet of what happened before.
    ///   - db: the connection, in a write transaction that has changed nothing yet.
    /// - Returns: how far rows can be believed, and what is to be freed.
    /// - Throws: ``CacheError`` or the database's error.
    func leftovers(atLaunch: Bool, in db: Database) throws -> (trust: Trust, doubt: Doubt)
    /// Frees the bytes that no committed row speaks of, and notes that none is in doubt any more.
    ///
    /// Does nothing where somebody has taken over since: he frees them, with his own, after a commit.
    ///
    /// - Parameters:
    ///   - doubt: what was announced. Whoever has left it has never committed it, or another commit
    ///     has taken the place of his in the log.
    ///   - db: the connection, in a write transaction that has changed nothing yet.
    /// - Throws: ``CacheError`` or the database's error; whoever writes next does it.
    func free(_ doubt: Doubt, in db: Database) throws
    /// Notes what will be in doubt when this transaction is not, or only just, committed.
    ///
    /// - Parameters:
    ///   - doubt: the bytes.
    ///   - trust: how far rows can be believed so far.
    ///   - changesRows: false when rows come and go with none of these bytes, and they are freed
    ///     only when that is on the disk.
    /// - Returns: how far they can be believed from now on.
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
    ///   - index: where to look for the row.
    ///   - ahead: where it may be known already, and what is known of the next ones.
    /// - Returns: the chunk, without bytes where they are damaged; nil when there is none.
    /// - Throws: ``CacheError``.
    func chunk(
        ofVideo id: Int64, from offset: Int64, index: any IndexAccess, ahead: inout ChunksAhead
    ) throws(CacheError) -> StoredChunk?
    /// What a launch can believe; a look that needs no lock.
    func standing() throws(CacheError) -> Standing
    /// True when a later launch can tell whether bytes that nobody has synced were lost.
    var knowsItsLife: Bool { get }
    /// True when this store's last note has bytes in doubt, which the next launch would settle.
    var leavesDoubt: Bool { get }
    /// Waits until all bytes that were written, and what is in the log, are on the disk.
    ///
    /// Needs no lock, so that others can write meanwhile.
    ///
    /// - Parameter log: the path of the write-ahead log.
    /// - Throws: ``CacheError``.
    func flush(log: String) throws(CacheError)
    /// Makes all bytes and all rows durable, and remembers that they are.
    ///
    /// - Parameter log: the path of the write-ahead log, in which no commit is under way; the
    ///   database's own file is on the disk.
    /// - Throws: ``CacheError``; nothing is remembered then.
    func sync(log: String) throws(CacheError)
    /// The chunks of a video whose bytes do not fit their rows, at a first look.
    ///
    /// What is evicted or saved meanwhile may be among them: whoever acts on it looks again.
    ///
    /// - Parameters:
    ///   - id: the video's number.
    ///   - index: where to look for the rows.
    /// - Returns: their ranges, in ascending order.
    /// - Throws: ``CacheError``.
    func unfitChunks(
        ofVideo id: Int64, index: any IndexAccess
    ) throws(CacheError) -> [ByteRange]
    /// Roughly how many bytes the write-ahead log grows by for a chunk of so many.
    func logBytes(for bytes: Int64) -> Int64
    /// The bytes on disk outside the database.
    var diskBytes: Int64 { get }
}

/// How far rows can be believed before their bytes were looked at.
enum Trust {
    /// Not at all: a cut of the power may have left rows without their bytes.
    case none
    /// As long as the power is not cut: no bytes that were written can have been lost.
    case thisLife
    /// Whatever happened: all bytes are on the disk.
    case synced
}

/// What is known of the bytes before they were looked at.
struct Standing {
    /// How far rows can be believed.
    var trust: Trust
    /// True when no byte is in doubt: settling at a launch would do nothing.
    var isSettled: Bool
}

/// Runs looks into the index, each in one snapshot of it.
protocol IndexAccess {
    func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value
}

/// Looks into the index from within a transaction.
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

/// Bytes of which only the committed index says whether they are a chunk's or nobody's.
struct Doubt {
    /// The ranges, each with its video's number.
    var ranges: [(video: Int64, range: ByteRange)] = []
    /// True when it may be any byte of any video.
    var isEverything = false

    /// True when no byte is in doubt.
    var isEmpty: Bool { ranges.isEmpty && !isEverything }

    /// True when it is about the same ranges, in the same order.
    func isSame(as other: Doubt) -> Bool {
        isEverything == other.isEverything && ranges.elementsEqual(other.ranges, by: ==)
    }

    /// Adds what else is in doubt.
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

/// What each layout asks the index for a chunk.
enum ChunkSearch {
    /// The columns of the chunk that holds `:offset`, or of the first one after it.
    ///
    /// Chunks never overlap, so that only the last one that begins before the offset can hold it:
    /// the search takes as long among many chunks as among few. A limit above 1 finds those that
    /// follow, too.
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
