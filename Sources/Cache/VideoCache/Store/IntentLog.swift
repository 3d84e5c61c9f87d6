internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Records, in a file beside the data, which bytes the last transaction left in doubt.
///
/// It is written before the bytes are, under the database's write lock. So one note is enough for
/// all processes: the next holder of the lock compares those bytes with the committed index.
///
/// It also identifies its life: this boot of the machine, this mount of the file system and this
/// very file. While all three are the same, everything that was ever written can be read, from the
/// disk or the page cache. A file that was copied, or is found after a reboot, has another life,
/// and says nothing about what has happened to the bytes since. Only the note that all bytes were
/// synced stays valid after a reboot; it is not valid for a copy, which is another file.
///
/// It cannot detect two things: that the system failed to write to the disk and dropped its pages,
/// and that a backup was copied over the files in place, for which `data/journal` has to be left
/// out. Checksums keep such bytes from being served, but they count as cached until they are read.
struct IntentLog {
    /// The content of the file.
    struct Entry {
        var doubt: Doubt
        /// False after a reboot: a power cut may have lost later notes.
        var isOfThisStart: Bool
        /// False when a later note may be lost even without a reboot, with the disk's own cache.
        var isOrdered: Bool
        /// True when every row on disk has its bytes on disk: a launch need not read them.
        var isSynced: Bool
        /// True when no row can have lost its bytes: all was written in this life of the file.
        var isOfThisLife: Bool

        /// How far rows can be trusted.
        var trust: Trust { isSynced ? .synced : isOfThisLife ? .thisLife : .none }

        /// Whether the entry names every byte that may be in doubt.
        ///
        /// - Parameter atLaunch: true when nothing is known yet of earlier events.
        /// - Returns: false if all files have to be examined.
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

    /// Whether every row on disk has its bytes on disk.
    enum Sync {
        /// Not known.
        case none
        /// All are synced, but a first change is recording on disk that this ends.
        ///
        /// In the same life nothing has changed yet, and a reader waits before its first change. In
        /// any other life the state has ended: after a reboot or on another mount, this note may be
        /// the last of several that reached the disk.
        case ending
        /// All are synced.
        case done
    }

    /// The file's path.
    let path: String
    /// Whether commits must survive a power cut.
    let durability: Durability
    private let isWritten: Bool
    private let start: UInt64?
    // Kept open: the file is never removed or replaced, and every save reads it.
    private let file: OpenFile?
    private let life: UInt64?
    private let place: UInt64?
    private let left = LeftDoubt()

    /// Opens the journal.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - durability: whether commits must survive a power cut.
    ///   - isWritten: creates the file; without it, nothing can be recorded.
    ///   - system: how to recognize the file.
    /// - Throws: ``CacheError`` when the file cannot be opened to be written.
    init(
        path: String, durability: Durability, isWritten: Bool, system: FileSystem
    ) throws(CacheError) {
        self.path = path
        self.durability = durability
        let start = system.start()
        self.start = start.map { $0.withUnsafeBytes(Checksum.xxh3) }
        self.isWritten = isWritten
        file =
            isWritten
            ? try OpenFile(path, O_RDWR | O_CREAT) : try OpenFile.ifThere(path, O_RDONLY)
        place = file.flatMap(system.place)?.withUnsafeBytes(Checksum.xxh3)
        if let start, let life = file.flatMap(system.life) {
            self.life = (start + life).withUnsafeBytes(Checksum.xxh3)
        } else {
            life = nil
        }
    }

    /// True when a later launch can tell whether the power was cut since.
    var canDetectReboot: Bool { life != nil }

    /// True when this object's last note has bytes in doubt.
    var leavesDoubt: Bool { left.isThere.load(ordering: .relaxed) }

    /// Records the bytes in doubt.
    ///
    /// - Parameters:
    ///   - doubt: the bytes.
    ///   - sync: whether every row on disk has its bytes on disk.
    ///   - isOfThisLife: states that no row can have lost its bytes without a power cut.
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

    /// The last note; nil if there is no valid one.
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
        let isOfThisLife = life != nil && words[2] == life
        let mayBeSynced = words[3] & Self.isEnding == 0 || isOfThisLife
        return Entry(
            doubt: doubt,
            isOfThisStart: start == nil || words[1] == start,
            isOrdered: start != nil && words[3] & Self.isPower == 0,
            isSynced: words[3] & Self.isSynced != 0 && mayBeSynced && place != nil
                && words[4] == place,
            isOfThisLife: isOfThisLife)
    }
}

/// Whether the journal's last note has bytes in doubt that must be settled later.
private final class LeftDoubt: Sendable {
    let isThere = Atomic(false)
}

/// What the store asks of the system; a test answers in its place.
struct FileSystem: Sendable {
    /// Identifies this boot of the machine; nil if that is unknown.
    var start: @Sendable () -> [UInt8]?
    /// Identifies a file, also after a reboot; nil if that is unknown.
    var place: @Sendable (OpenFile) -> [UInt8]?
    /// Identifies a file on one mount of its file system; nil if that is unknown.
    var life: @Sendable (OpenFile) -> [UInt8]?
    /// Is told the path of a file or folder before it is synced; an error fails the sync.
    var willSync: @Sendable (String) throws(CacheError) -> Void = { _ throws(CacheError) in }

    /// Waits until a file's content, or a folder's entries, are on disk.
    func sync(_ path: String) throws(CacheError) { try sync(OpenFile(path, O_RDONLY)) }

    /// Waits until an open file's content is on disk.
    func sync(_ file: OpenFile) throws(CacheError) {
        try willSync(file.path)
        guard fsync(file.descriptor) == 0 else { throw file.failure() }
    }

    /// Waits until a file's bytes are on disk, and its size if it has grown.
    func syncData(_ file: OpenFile) throws(CacheError) {
        try willSync(file.path)
        guard file.syncData() == 0 else { throw file.failure() }
    }

    /// The system itself.
    static let ofThisMachine = Self(
        start: { MachineStart.identity() }, place: { $0.place() }, life: { $0.life() })
}
