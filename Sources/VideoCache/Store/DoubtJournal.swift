internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Remembers, in a file beside the data, which bytes the last transaction left in doubt.
///
/// It is written before the bytes are, under the database's write lock, so that one note is enough
/// for all processes: whoever holds the lock next compares those bytes with the committed index.
///
/// It also knows its life: this start of the machine, this mount of the file system and this very
/// file. As long as all three are the same, everything that was ever written is there to be read,
/// on the disk or in memory. A file that was copied or found after a start has another life, and says
/// nothing about what became of the bytes meanwhile. Only that all of them were synced is true after
/// a start, too; but not of a copy, which is another file.
///
/// Two things it cannot know: that the system has failed to write to the disk, and dropped what it
/// held; and that a backup was copied over the files in place, where `data/journal` has to be left
/// out. Checksums keep such bytes from being served, but they count as cached until they are read.
struct DoubtJournal {
    /// What was found in the file.
    struct Entry {
        var doubt: Doubt
        /// False when the machine was started since: a power cut may have lost later notes.
        var isOfThisStart: Bool
        /// False when even without a start a later note may be lost, with the disk's own cache.
        var isOrdered: Bool
        /// True when every row on the disk has its bytes there: a launch need not read them.
        var isSynced: Bool
        /// True when no row can have lost its bytes: nothing but this life of the file has written.
        var isOfThisLife: Bool

        /// How far rows can be believed.
        var trust: Trust { isSynced ? .synced : isOfThisLife ? .thisLife : .none }

        /// Whether every byte that may be in doubt is named here.
        ///
        /// - Parameter atLaunch: true when nothing is known yet of what happened before.
        /// - Returns: false when all files have to be looked at.
        func tellsAll(atLaunch: Bool) -> Bool {
            !doubt.isEverything && isOfThisStart && (!atLaunch || isOrdered || isOfThisLife)
        }
    }

    private static let magic: UInt64 = 0x5643_444F_5542_5433
    private static let headWords = 6
    private static let isPower: UInt64 = 1
    private static let isEverything: UInt64 = 2
    private static let isSynced: UInt64 = 4
    private static let isEnding: UInt64 = 8

    /// Whether every row on the disk has its bytes there.
    enum Sync {
        /// Nobody says so.
        case none
        /// It is so, and the first change since is waiting until the disk says that it is over. Who
        /// reads this in the same start of the machine knows that nothing has changed yet, and waits
        /// before he changes anything; to all others it is over.
        case ending
        /// It is so.
        case done
    }

    /// The file's path.
    let path: String
    /// Whether commits must survive a power cut.
    let durability: Durability
    private let isWritten: Bool
    private let start: UInt64?
    // Open for as long as the store is: nobody removes or replaces it, and every save reads it.
    private let file: OpenFile?
    private let life: UInt64?
    private let place: UInt64?
    private let left = LeftDoubt()

    /// A journal.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - durability: whether commits must survive a power cut.
    ///   - isWritten: creates the file; without it nothing can be noted.
    ///   - identity: by what the file is known again.
    /// - Throws: ``CacheError`` when the file cannot be opened to be written.
    init(
        path: String, durability: Durability, isWritten: Bool, identity: FileIdentity
    ) throws(CacheError) {
        self.path = path
        self.durability = durability
        let start = identity.start()
        self.start = start.map { $0.withUnsafeBytes(Checksum.xxh3) }
        self.isWritten = isWritten
        file =
            isWritten
            ? try OpenFile(path, O_RDWR | O_CREAT) : try OpenFile.ifThere(path, O_RDONLY)
        place = file.flatMap(identity.place)?.withUnsafeBytes(Checksum.xxh3)
        if let start, let life = file.flatMap(identity.life) {
            self.life = (start + life).withUnsafeBytes(Checksum.xxh3)
        } else {
            life = nil
        }
    }

    /// True when a later launch can tell whether the power was cut since.
    var knowsItsLife: Bool { life != nil }

    /// True when the last note of this object has bytes in doubt.
    var leavesDoubt: Bool { left.isThere.load(ordering: .relaxed) }

    /// Notes what is in doubt.
    ///
    /// - Parameters:
    ///   - doubt: the bytes.
    ///   - sync: whether every row on the disk has its bytes there.
    ///   - isOfThisLife: says that no row can have lost its bytes without a cut of the power.
    /// - Throws: ``CacheError``.
    func write(
        _ doubt: Doubt, sync: Sync = .none, isOfThisLife: Bool
    ) throws(CacheError) {
        guard let file, isWritten else { throw .readOnly(path: path) }
        var words: [UInt64] = [
            Self.magic, start ?? 0, isOfThisLife ? life ?? 0 : 0,
            (durability == .power ? Self.isPower : 0)
                | (doubt.isEverything ? Self.isEverything : 0)
                | (sync != .none ? Self.isSynced : 0) | (sync == .ending ? Self.isEnding : 0),
            sync != .none ? place ?? 0 : 0,
            UInt64(doubt.ranges.count),
        ]
        for (video, range) in doubt.ranges {
            words += [video, range.offset, range.length].map(UInt64.init(bitPattern:))
        }
        words.append(words.withUnsafeBytes(Checksum.xxh3))
        let result = words.withUnsafeBytes { bytes in
            Result { () throws(CacheError) in try file.write(bytes, at: 0) }
        }
        try result.get()
        left.isThere.store(!doubt.isEmpty, ordering: .relaxed)
    }

    /// What was noted last; nil when there is no note that can be believed.
    func read() throws(CacheError) -> Entry? {
        guard let file, let bytes = try file.read(ByteRange(offset: 0, length: file.size)) else {
            return nil
        }
        let words = bytes.withUnsafeBytes { memory in
            stride(from: 0, to: memory.count / 8 * 8, by: 8).map {
                memory.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
        guard words.count > Self.headWords, words[0] == Self.magic,
            words[5] < UInt64(words.count) / 3
        else { return nil }
        let end = Self.headWords + 3 * Int(words[5])
        guard end < words.count,
            words[..<end].withUnsafeBytes(Checksum.xxh3) == words[end]
        else { return nil }
        var doubt = Doubt(isEverything: words[3] & Self.isEverything != 0)
        for index in stride(from: Self.headWords, to: end, by: 3) {
            let numbers = words[index..<index + 3].map(Int64.init(bitPattern:))
            doubt.ranges.append(
                (numbers[0], ByteRange(offset: max(0, numbers[1]), length: max(0, numbers[2]))))
        }
        let mayBeSynced = words[3] & Self.isEnding == 0 || (start != nil && words[1] == start)
        return Entry(
            doubt: doubt,
            isOfThisStart: start == nil || words[1] == start,
            isOrdered: start != nil && words[3] & Self.isPower == 0,
            isSynced: words[3] & Self.isSynced != 0 && mayBeSynced && place != nil
                && words[4] == place,
            isOfThisLife: life != nil && words[2] == life)
    }
}

/// Whether somebody will have to settle what a journal's last note says.
private final class LeftDoubt: Sendable {
    let isThere = Atomic(false)
}

/// By what files, and the time in which they were written, are known again.
struct FileIdentity: Sendable {
    /// Which start of the machine this is; nil where nobody can tell.
    var start: @Sendable () -> [UInt8]?
    /// Which file it is, also after a start; nil where nobody can tell.
    var place: @Sendable (OpenFile) -> [UInt8]?
    /// Which file it is, on which mount of its file system; nil where nobody can tell.
    var life: @Sendable (OpenFile) -> [UInt8]?

    /// What the system tells.
    static let ofThisSystem = Self(
        start: { MachineStart.identity() }, place: { $0.place() }, life: { $0.life() })
}
