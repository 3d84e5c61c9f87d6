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
    }

    private static let magic: UInt64 = 0x5643_444F_5542_5431
    private static let headWords = 4
    private static let isPower: UInt64 = 1
    private static let isEverything: UInt64 = 2
    private static let isSynced: UInt64 = 4

    /// The file's path.
    let path: String
    /// Whether commits must survive a power cut.
    let durability: Durability
    private let start: UInt64?

    init(path: String, durability: Durability) {
        self.path = path
        self.durability = durability
        start = MachineStart.identity().map { $0.withUnsafeBytes(Checksum.xxh3) }
    }

    func write(_ doubt: Doubt, isSynced: Bool = false) throws(CacheError) {
        var words: [UInt64] = [
            Self.magic, start ?? 0,
            (durability == .power ? Self.isPower : 0)
                | (doubt.isEverything ? Self.isEverything : 0)
                | (isSynced ? Self.isSynced : 0),
            UInt64(doubt.ranges.count),
        ]
        for (video, range) in doubt.ranges {
            words += [video, range.offset, range.length].map(UInt64.init(bitPattern:))
        }
        words.append(words.withUnsafeBytes(Checksum.xxh3))
        let file = try OpenFile(path, O_WRONLY | O_CREAT)
        let result = words.withUnsafeBytes { bytes in
            Result { () throws(CacheError) in try file.write(bytes, at: 0) }
        }
        try result.get()
    }

    /// What was noted last; nil when there is no note that can be believed.
    func read() throws(CacheError) -> Entry? {
        guard let file = try OpenFile.ifThere(path, O_RDONLY),
            let bytes = try file.read(ByteRange(offset: 0, length: file.size))
        else { return nil }
        let words = bytes.withUnsafeBytes { memory in
            stride(from: 0, to: memory.count / 8 * 8, by: 8).map {
                memory.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
        guard words.count > Self.headWords, words[0] == Self.magic,
            words[3] < UInt64(words.count) / 3
        else { return nil }
        let end = Self.headWords + 3 * Int(words[3])
        guard end < words.count,
            words[..<end].withUnsafeBytes(Checksum.xxh3) == words[end]
        else { return nil }
        var doubt = Doubt(isEverything: words[2] & Self.isEverything != 0)
        for index in stride(from: Self.headWords, to: end, by: 3) {
            let numbers = words[index..<index + 3].map(Int64.init(bitPattern:))
            doubt.ranges.append(
                (numbers[0], ByteRange(offset: max(0, numbers[1]), length: max(0, numbers[2]))))
        }
        return Entry(
            doubt: doubt,
            isOfThisStart: start == nil || words[1] == start,
            isOrdered: start != nil && words[2] & Self.isPower == 0,
            isSynced: words[2] & Self.isSynced != 0)
    }
}
