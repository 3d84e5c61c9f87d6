internal import Synchronization

/// Chunks that were verified lately, by their rows and the checksums of their 64 KB blocks.
///
/// A row has one checksum for its chunk, so its first read has to be of the whole chunk. Later ones
/// read and verify only the blocks that hold the wanted bytes, without a look into the index: a
/// player's range of 64 KB is an eighth of a chunk. Checksums of blocks in the rows would spare the
/// first read, too, but cost each save a second pass over its bytes.
///
/// A chunk that another process has evicted, and whose bytes it has not freed yet, may be read
/// from here: until a row is dropped in this process, nothing shows that. Its bytes are right.
final class VerifiedChunks: Sendable {
    struct Chunk {
        let row: IndexRow
        /// How often rows had been dropped before: if they were since, this one may be gone.
        let drops: Int
        fileprivate let checksums: [UInt64]

        func holds(_ bytes: [UInt8], at part: ByteRange) -> Bool {
            let first = Int((part.offset - row.range.offset) / blockSize)
            let found = VerifiedChunks.checksums(of: bytes)
            return found[...] == checksums[first..<first + found.count]
        }
    }

    /// The length of a block in bytes; the last one of a chunk may be shorter.
    private static let blockSize: Int64 = 64 << 10
    // 8 GB in chunks of 512 KB, which takes 2 MB of memory.
    private static let mostChunks = 1 << 14

    private struct Known {
        /// The chunks of each video, ascending; none overlap.
        var chunks: [Int64: [Chunk]] = [:]
        var count = 0
    }

    private let known = Mutex(Known())

    func chunk(at offset: Int64, ofVideo id: Int64) -> Chunk? {
        known.withLock { known in
            guard let chunks = known.chunks[id] else { return nil }
            let index = chunks.partitioningIndex { $0.row.range.end > offset }
            guard index < chunks.count, chunks[index].row.range.contains(offset) else { return nil }
            return chunks[index]
        }
    }

    /// Remembers a chunk that was verified, in the place of those that it overlaps.
    func add(_ row: IndexRow, _ bytes: [UInt8], ofVideo id: Int64, drops: Int) {
        let chunk = Chunk(row: row, drops: drops, checksums: Self.checksums(of: bytes))
        known.withLock { known in
            if known.count >= Self.mostChunks { known = Known() }
            var chunks = known.chunks.removeValue(forKey: id) ?? []
            let first = chunks.partitioningIndex { $0.row.range.end > row.range.offset }
            let end = chunks[first...].firstIndex { $0.row.range.offset >= row.range.end }
            let old = first..<(end ?? chunks.count)
            chunks.replaceSubrange(old, with: CollectionOfOne(chunk))
            known.count += 1 - old.count
            known.chunks[id] = chunks
        }
    }

    /// The blocks of a chunk that hold the bytes from an offset to an end; nil for all of it, or for an
    /// end outside of it.
    static func part(of chunk: ByteRange, from offset: Int64, until end: Int64) -> ByteRange? {
        guard end > max(offset, chunk.offset), end <= chunk.end else { return nil }
        let before = max(0, offset - chunk.offset) / blockSize * blockSize
        let blocks = (end - chunk.offset - 1) / blockSize + 1
        let length = min(chunk.length, blocks * blockSize)
        let part = ByteRange(from: chunk.offset + before, to: chunk.offset + length)
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
