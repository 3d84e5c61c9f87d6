internal import Synchronization

/// Chunks that were verified lately, by their rows and the checksums of their 64 KB blocks.
///
/// A row has one checksum for its chunk, so its first read has to be of the whole chunk. Later ones
/// read and verify only the blocks that hold the wanted bytes, without a look into the index: a
/// player's range of 64 KB is an eighth of a chunk. Checksums of blocks in the rows would spare the
/// first read, too, but cost each save a second pass over its bytes.
final class VerifiedChunks: Sendable {
    /// A chunk that was verified.
    struct Chunk {
        /// What the index said about it.
        let row: IndexRow
        /// How often rows had been dropped before: if they were since, this one may be gone.
        let drops: Int
        fileprivate let checksums: [UInt64]

        /// The blocks that hold the bytes from an offset to an end; nil if that is no part of it.
        func part(from offset: Int64, until end: Int64) -> ByteRange? {
            VerifiedChunks.part(of: row.range, from: offset, until: end)
        }

        /// True if the bytes are those of a part of the chunk.
        func holds(_ bytes: [UInt8], at part: ByteRange) -> Bool {
            let first = Int((part.offset - row.range.offset) / blockSize)
            let found = VerifiedChunks.checksums(of: bytes)
            return found[...] == checksums[first..<first + found.count]
        }
    }

    /// A place of 64 KB in a video.
    private struct Place: Hashable {
        let video: Int64
        let number: Int64
    }

    /// The length of a block in bytes; the last one of a chunk may be shorter.
    private static let blockSize: Int64 = 64 << 10
    // 4 GB, which takes 5 MB of memory.
    private static let mostPlaces = 1 << 16

    private let known = Mutex<[Place: Chunk]>([:])

    /// The chunk that holds a byte; nil if it is not known.
    func chunk(at offset: Int64, ofVideo id: Int64) -> Chunk? {
        let place = Place(video: id, number: offset / Self.blockSize)
        guard let chunk = known.withLock({ $0[place] }), chunk.row.range.contains(offset) else {
            return nil
        }
        return chunk
    }

    /// Remembers a chunk that was verified.
    ///
    /// - Parameters:
    ///   - row: what the index says about it.
    ///   - bytes: its bytes.
    ///   - id: the video's number.
    ///   - drops: how often rows had been dropped before the row was looked up.
    func add(_ row: IndexRow, _ bytes: [UInt8], ofVideo id: Int64, drops: Int) {
        let chunk = Chunk(row: row, drops: drops, checksums: Self.checksums(of: bytes))
        let first = row.range.offset / Self.blockSize
        let last = (row.range.end - 1) / Self.blockSize
        known.withLock { known in
            if known.count >= Self.mostPlaces { known = [:] }
            for number in first...last {
                // Where two chunks share a place, the one that holds its first byte is kept.
                let isFirstByte = number * Self.blockSize >= row.range.offset
                let place = Place(video: id, number: number)
                if isFirstByte || known[place] == nil { known[place] = chunk }
            }
        }
    }

    /// The blocks of a chunk that hold the bytes from an offset to an end.
    ///
    /// - Returns: their range; nil if that is the whole chunk, or the end is not in the chunk.
    static func part(of chunk: ByteRange, from offset: Int64, until end: Int64) -> ByteRange? {
        guard end > chunk.offset, end <= chunk.end else { return nil }
        let before = max(0, offset - chunk.offset) / blockSize * blockSize
        let count = (end - chunk.offset + blockSize - 1) / blockSize * blockSize
        let part = ByteRange(
            from: chunk.offset + before, to: min(chunk.end, chunk.offset + count))
        return part == chunk ? nil : part
    }

    /// The checksum of each block of the bytes, which begin with a block.
    private static func checksums(of bytes: [UInt8]) -> [UInt64] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Int(blockSize)).map { start in
                let end = min(start + Int(blockSize), bytes.count)
                return Checksum.xxh3(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
        }
    }
}
