/// Kept bytes with which an answer has to agree before its further bytes are used: they lie right
/// before the first wanted byte, so what agrees and what follows cannot be of two versions.
final class Overlap {
    /// The most bytes that are asked for again to compare them.
    static let size: Int64 = 64 << 10

    /// Where the kept bytes are in the video.
    let range: ByteRange
    private let kept: [UInt8]
    private var position: Int64

    /// Creates an overlap of nothing compared yet; `kept` has the bytes of `range`.
    init(_ range: ByteRange, kept: [UInt8]) {
        (self.range, self.kept) = (range, kept)
        position = range.offset
    }

    /// True once all kept bytes have come again, and were the same.
    var isShown: Bool { position == range.end }
    func reset() { position = range.offset }

    /// Compares the next bytes of an answer; false if one in the range differs, or is left out.
    func agrees(with bytes: UnsafeRawBufferPointer, at start: Int64) -> Bool {
        let came = ByteRange(offset: start, length: Int64(bytes.count))
        guard let part = came.intersection(range) else { return true }
        guard part.offset == position else { return false }
        let mine = Int(part.offset - range.offset)
        let theirs = Int(part.offset - start)
        let count = Int(part.length)
        position = part.end
        return kept[mine..<mine + count].elementsEqual(bytes[theirs..<theirs + count])
    }
}

/// The bytes of a version that answers can be compared with: in the store, and in running downloads.
struct KeptBytes {
    /// Bytes that a running download has received, from a position on.
    struct Tail: Sendable {
        var start: Int64
        var bytes: [UInt8]

        var range: ByteRange { ByteRange(offset: start, length: Int64(bytes.count)) }
    }

    let store: any ChunkStore
    let video: CachedVideo?
    let tails: [Tail]

    func ranges() throws(CacheError) -> ByteRangeSet {
        var ranges =
            try video.map { (video) throws(CacheError) in try store.ranges(of: video) }
            ?? ByteRangeSet()
        for tail in tails { ranges.insert(tail.range) }
        return ranges
    }

    /// The bytes of a range; nil if some are damaged, which are dropped then (C5), or are gone.
    func bytes(of range: ByteRange) throws(CacheError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var position = range.offset
        while position < range.end {
            let piece: (range: ByteRange, bytes: [UInt8])
            if let tail = tails.first(where: { $0.range.contains(position) }) {
                piece = (tail.range, tail.bytes)
            } else {
                guard let video, let chunk = try store.chunk(of: video, from: position),
                    chunk.range.contains(position)
                else { return nil }
                guard let held = chunk.bytes else {
                    try store.dropDamaged(in: chunk.range, of: video)
                    return nil
                }
                piece = (chunk.range, held)
            }
            let end = min(piece.range.end, range.end)
            let (first, last) = (position - piece.range.offset, end - piece.range.offset)
            bytes += piece.bytes[Int(first)..<Int(last)]
            position = end
        }
        return bytes
    }
}

/// Which kept bytes to ask for again before a request goes on.
struct OverlapPlan: Sendable, Hashable {
    /// How much of what is kept farther back is compared, once in a process.
    static let sampleSize: Int64 = 16 << 10

    /// Bytes right before the first wanted one, which the request itself brings.
    var inLine: ByteRange?
    /// Bytes elsewhere, which take a request each.
    var looks: [ByteRange] = []

    /// Chooses up to 64 KB that lie as near before the position as possible, and a sample of what is
    /// kept farther back, unless that was compared before, or came in this process.
    init(_ kept: ByteRangeSet, before position: Int64, hasSampled: Bool) {
        var rest = kept
        if position > 0, let near = kept.ranges.first(where: { $0.contains(position - 1) }) {
            let range = ByteRange(from: max(near.offset, position - Overlap.size), to: position)
            rest.remove(range)
            inLine = range
        }
        let wanted = Overlap.size - (inLine?.length ?? 0)
        if wanted > 0 {
            let near: ByteRange? =
                if let before = rest.ranges.last(where: { $0.end <= position }) {
                    ByteRange(from: max(before.offset, before.end - wanted), to: before.end)
                } else {
                    rest.ranges.first.map {
                        ByteRange(offset: $0.offset, length: min($0.length, wanted))
                    }
                }
            if let near {
                looks.append(near)
                rest.remove(near)
            }
        }
        guard !hasSampled, let back = rest.ranges.first else { return }
        looks.append(ByteRange(offset: back.offset, length: min(back.length, Self.sampleSize)))
    }

    /// Has a request of its own bring the nearest bytes, too.
    mutating func lookOnly() {
        looks = [inLine].compactMap(\.self) + looks
        inLine = nil
    }

    /// True if the bytes that the request itself brings are enough to say which version it is of.
    func isEnough(of kept: ByteRangeSet) -> Bool {
        guard let inLine else { return false }
        return inLine.length >= 4 << 10 || inLine.length == kept.byteCount
    }
}
