/// A file's content without its zeros; blocks are shared between copies until one changes.
package struct SparseBytes: Sendable, Hashable {
    /// How many bytes a disk writes atomically: a sector is old or new, never a mixture.
    package static let sectorSize: Int64 = 512
    private static let blockSize: Int64 = 32 << 10
    private static let zeros = [UInt8](repeating: 0, count: Int(blockSize))

    // Every block has the full size; bytes past `size` are zero.
    private var blocks: [Int64: [UInt8]] = [:]
    package private(set) var size: Int64 = 0

    package init() {}

    /// Hashes whole blocks, not byte by byte; zeros that were written read as those that were not.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        for block in blocks.keys.sorted() {
            guard let content = blocks[block], content.contains(where: { $0 != 0 }) else {
                continue
            }
            hasher.combine(block)
            content.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    package mutating func write(_ bytes: [UInt8], at offset: Int64) {
        let end = offset + Int64(bytes.count)
        for (block, part) in Self.pieces(offset..<end) {
            let start = Int(block * Self.blockSize + Int64(part.lowerBound) - offset)
            blocks[block, default: Self.zeros]
                .replaceSubrange(part, with: bytes[start..<start + part.count])
        }
        size = max(size, end)
    }

    /// Changes the length; bytes that are cut off are lost, and bytes that are added read as zeros.
    package mutating func resize(to length: Int64) {
        if length < size { clear(length..<size) }
        size = length
    }

    /// Makes a range read as zeros; the length stays.
    package mutating func clear(_ range: Range<Int64>) {
        for (block, part) in Self.pieces(range.clamped(to: 0..<size)) where blocks[block] != nil {
            if part.count == Int(Self.blockSize) {
                blocks[block] = nil
            } else {
                blocks[block]?.replaceSubrange(part, with: Self.zeros[part])
            }
        }
    }

    /// Copies sectors from another state of the file, and grows as far as that state reaches.
    package mutating func take(_ sectors: Range<Int64>, from other: Self) {
        for (block, part) in Self.pieces(sectors) {
            let source = other.blocks[block]
            if source == nil, blocks[block] == nil { continue }
            blocks[block, default: Self.zeros]
                .replaceSubrange(part, with: (source ?? Self.zeros)[part])
        }
        size = max(size, min(sectors.upperBound, other.size))
    }

    /// The parts that were written, in order: the offset of each, and its bytes up to the length.
    package var pieces: [(offset: Int64, bytes: [UInt8])] {
        blocks.keys.sorted().compactMap { block in
            let start = block * Self.blockSize
            guard start < size, let content = blocks[block] else { return nil }
            return (start, Array(content.prefix(Int(min(Self.blockSize, size - start)))))
        }
    }

    /// What a range holds, block by block: the offset of each part, and its bytes.
    package func parts(of range: Range<Int64>) -> [(offset: Int64, bytes: ArraySlice<UInt8>)] {
        Self.pieces(range).map { block, part in
            let bytes = blocks[block] ?? Self.zeros
            return (block * Self.blockSize + Int64(part.lowerBound), bytes[part])
        }
    }

    package func reads(as other: Self) -> Bool {
        size == other.size && reads(as: other, in: 0..<size)
    }

    /// Whether a reader finds the same in a range of another content; past its end are zeros.
    package func reads(as other: Self, in range: Range<Int64>) -> Bool {
        Self.pieces(range).allSatisfy { block, part in
            (blocks[block] ?? Self.zeros)[part] == (other.blocks[block] ?? Self.zeros)[part]
        }
    }

    /// The blocks that a range touches, each with the part of it that lies in the range.
    private static func pieces(_ range: Range<Int64>) -> [(block: Int64, part: Range<Int>)] {
        guard !range.isEmpty else { return [] }
        return (range.lowerBound / blockSize...(range.upperBound - 1) / blockSize).map { block in
            let start = block * blockSize
            let lower = Int(max(range.lowerBound, start) - start)
            let upper = Int(min(range.upperBound, start + blockSize) - start)
            return (block, lower..<upper)
        }
    }
}
