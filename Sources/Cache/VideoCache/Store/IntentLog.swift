internal import Foundation

/// The intent log: which extents the last change left in doubt, in a file beside the data.
///
/// It is written before the bytes are, under the database's write lock. So one record is enough for
/// all processes: the next holder of the lock compares those extents with the committed index.
///
/// It also identifies its epoch: this boot of the machine, this mount of the file system and this
/// very file. In the same epoch everything that was ever written can be read, from the disk or the
/// page cache. A file that was copied, or is found after a reboot, is of another epoch, and says
/// nothing about what has happened to the bytes since. Only the record that all bytes were synced
/// stays valid after a reboot; it is not valid for a copy, which is another file.
///
/// It cannot detect two things: that the system failed to write to the disk and dropped its pages,
/// and that a backup was copied over the files in place, for which `data/journal` has to be left
/// out. Checksums keep such bytes from being served, but they count as cached until they are read.
struct IntentLog {
    /// The content of the file; without a valid one, any byte may be in doubt.
    struct Record {
        var number: UInt64?
        var intents = Intents(isEverything: true)
        /// The index's generation when it was written, modulo 2^28; nil without a valid record.
        var generation: Int64?
        var trust = Trust.none
        /// False after a reboot: a power cut may have lost later records.
        var isOfThisBoot = false
        /// False when a later record may be lost without a reboot, with the disk's own cache.
        var isOrdered = false
        /// True when a sync has failed since the machine was started.
        ///
        /// The system takes what it could not write for clean then: a later sync succeeds, and has
        /// saved nothing of it. So nothing counts as synced before the next start of the machine,
        /// after which what is on the disk can be read.
        var hasFailedSync = false

        /// Whether the record names every byte that may be in doubt, or all files must be examined.
        func namesAll(atLaunch: Bool) -> Bool {
            !intents.isEverything && isOfThisBoot && (!atLaunch || isOrdered)
        }

        /// False if an older or newer index is in the place of this record's, or the record itself is
        /// older (K14); true where nothing can be told.
        ///
        /// A change writes its record, then commits the next generation; a reboot may leave one.
        func isOf(_ generation: Int64) -> Bool {
            guard let mine = self.generation, isOfThisBoot else { return true }
            return [0, 1].contains((generation - mine) & IntentLog.counterMask)
        }

        /// True when no byte is in doubt, so a launch has nothing to resolve.
        var isSettled: Bool { namesAll(atLaunch: true) && intents.isEmpty }
    }

    private static let magic: UInt64 = 0x5643_444F_5542_5433
    private static let headWords = 6
    private static let isPower: UInt64 = 1
    private static let isEverything: UInt64 = 2
    private static let isSynced: UInt64 = 4
    private static let isEnding: UInt64 = 8
    private static let deletesRows: UInt64 = 16
    private static let failedSync: UInt64 = 32
    // Above the flags, the same word has two counters of 28 bits: the record's number, and the
    // generation of the index.
    private static let flagsWord = 3
    private static let flagBits: UInt64 = 8
    private static let counterBits: UInt64 = 28
    static let counterMask: Int64 = (1 << 28) - 1

    /// True if the file at a path begins as this one does, whatever follows.
    static func isOne(_ path: String) -> Bool {
        let file = try? OpenFile.ifThere(path, O_RDONLY)
        let start = try? file?.read(ByteRange(offset: 0, length: 8))
        return start?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == magic
    }

    let path: String
    let durability: Durability
    private let isWritten: Bool
    private let system: FileSystem
    // Kept open: the file is never removed or replaced, and every save reads it.
    private let file: OpenFile?
    private let boot: UInt64?
    private let epoch: UInt64?
    private let identity: UInt64?

    /// Opens the log; without `isWritten` the file is not created, and nothing can be recorded.
    init(
        path: String, durability: Durability, isWritten: Bool, system: FileSystem
    ) throws(CacheError) {
        (self.path, self.durability, self.isWritten) = (path, durability, isWritten)
        self.system = system
        file =
            isWritten
            ? try OpenFile(path, O_RDWR | O_CREAT) : try OpenFile.ifThere(path, O_RDONLY)
        let boot = system.boot()
        let mounted = file.flatMap(system.mounted)
        self.boot = boot?.withUnsafeBytes(Checksum.xxh3)
        epoch = boot.flatMap { boot in mounted.map { (boot + $0).withUnsafeBytes(Checksum.xxh3) } }
        identity = file.flatMap(system.identity)?.withUnsafeBytes(Checksum.xxh3)
    }

    /// True when a later launch can tell whether the power was cut since.
    var canDetectReboot: Bool { epoch != nil }

    /// Replaces the record; the write lock must be held.
    ///
    /// - Parameters:
    ///   - generation: that of the index, before the change; nil keeps that of the last record.
    ///   - isEnding: states that all is synced still, but that a first change is about to end this.
    ///     In the same epoch nothing has changed yet, and a reader syncs the record before its own
    ///     first change. In any other the state has ended: after a reboot or on another mount, this
    ///     record may be the last of several that reached the disk.
    ///   - hasFailedSync: states that a sync has failed, as all records do until the machine is
    ///     started again; none of them says that all is synced.
    /// - Returns: the record's number, another than that of any record before.
    @discardableResult
    func write(
        _ intents: Intents, trust: Trust, generation: Int64? = nil, isEnding: Bool = false,
        hasFailedSync: Bool = false
    ) throws(CacheError) -> UInt64 {
        guard let file, isWritten else { throw .readOnly(path: path) }
        let (last, lastBoot) = try lastFlags(in: file)
        let failed =
            hasFailedSync || last & Self.failedSync != 0 && (boot == nil || lastBoot == boot)
        let isSynced = trust == .synced && !failed
        let number = (Self.number(in: last) + 1) & UInt64(Self.counterMask)
        var flags = number << Self.flagBits
        let counted = (generation ?? Self.generation(in: last)) & Self.counterMask
        flags |= UInt64(counted) << (Self.flagBits + Self.counterBits)
        if durability == .power { flags |= Self.isPower }
        if intents.isEverything { flags |= Self.isEverything }
        if isSynced { flags |= Self.isSynced }
        if isEnding { flags |= Self.isEnding }
        if intents.deletesRows { flags |= Self.deletesRows }
        if failed { flags |= Self.failedSync }
        var words: [UInt64] = [
            Self.magic, boot ?? 0, trust == .none ? 0 : epoch ?? 0, flags,
            isSynced ? identity ?? 0 : 0, UInt64(intents.extents.count),
        ]
        for extent in intents.extents {
            words += [extent.video, extent.range.offset, extent.range.length]
                .map(UInt64.init(bitPattern:))
        }
        words.append(words.withUnsafeBytes(Checksum.xxh3))
        try words.withUnsafeBytes { bytes in
            Result { () throws(CacheError) in try file.write(bytes, at: 0) }
        }.get()
        return number
    }

    // Also of a record that is torn: no number may be given again.
    private func lastFlags(in file: OpenFile) throws(CacheError) -> (flags: UInt64, boot: UInt64) {
        let place = ByteRange(offset: 0, length: Int64(Self.flagsWord + 1) * 8)
        guard let bytes = try file.read(place) else { return (0, 0) }
        return bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: Self.flagsWord * 8, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    private static func generation(in flags: UInt64) -> Int64 {
        Int64(flags >> (flagBits + counterBits))
    }

    private static func number(in flags: UInt64) -> UInt64 {
        flags >> flagBits & UInt64(counterMask)
    }

    func sync() throws(CacheError) { try system.sync(path) }

    func read() throws(CacheError) -> Record {
        guard let file, let bytes = try file.read(ByteRange(offset: 0, length: file.size)) else {
            return Record()
        }
        let words = bytes.withUnsafeBytes { memory in
            stride(from: 0, to: memory.count / 8 * 8, by: 8).map {
                memory.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
        guard words.count > Self.headWords, words[0] == Self.magic,
            words[5] < UInt64(words.count) / 3
        else { return Record() }
        let end = Self.headWords + 3 * Int(words[5])
        guard end < words.count,
            words[..<end].withUnsafeBytes(Checksum.xxh3) == words[end]
        else { return Record() }
        var intents = Intents(
            isEverything: words[3] & Self.isEverything != 0,
            deletesRows: words[3] & Self.deletesRows != 0)
        for index in stride(from: Self.headWords, to: end, by: 3) {
            let numbers = words[index..<index + 3].map(Int64.init(bitPattern:))
            let range = ByteRange(offset: max(0, numbers[1]), length: max(0, numbers[2]))
            intents.extents.append(Extent(video: numbers[0], range: range))
        }
        let isOfThisEpoch = epoch != nil && words[2] == epoch
        let isSynced =
            words[3] & Self.isSynced != 0 && identity != nil && words[4] == identity
            && (words[3] & Self.isEnding == 0 || isOfThisEpoch)
        return Record(
            number: Self.number(in: words[Self.flagsWord]), intents: intents,
            generation: Self.generation(in: words[Self.flagsWord]),
            trust: isSynced ? .synced : isOfThisEpoch ? .thisEpoch : .none,
            isOfThisBoot: boot == nil || words[1] == boot,
            isOrdered: isOfThisEpoch || (boot != nil && words[3] & Self.isPower == 0),
            hasFailedSync: words[3] & Self.failedSync != 0 && (boot == nil || words[1] == boot))
    }
}
