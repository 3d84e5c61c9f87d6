internal import Synchronization

/// Chunks that were read lately, in memory, with a limit of their own (C11).
///
/// The least recently used go first. A key holds the checksum of the bytes that the index has now,
/// so bytes of another version, or of a chunk that was dropped, are never found. Only what was read
/// from the disk is in here: a kill takes it, and loses nothing.
package final class MemoryTier: Sendable {
    private struct Guarded {
        var chunks: [ChunkKey: (bytes: [UInt8], use: UInt64)] = [:]
        var bytes: Int64 = 0
        var uses: UInt64 = 0
    }

    private let limit: Int64
    private let guarded = Mutex(Guarded())

    /// Creates an empty tier with a limit in bytes; nil for one that holds no byte.
    package init?(limit: Int64) {
        guard limit > 0 else { return nil }
        self.limit = limit
    }

    package var bytes: Int64 { guarded.withLock { $0.bytes } }

    func bytes(of key: ChunkKey) -> [UInt8]? {
        guarded.withLock { guarded in
            guard let bytes = guarded.chunks[key]?.bytes else { return nil }
            guarded.uses += 1
            guarded.chunks[key]?.use = guarded.uses
            return bytes
        }
    }

    func keep(_ bytes: [UInt8], of key: ChunkKey) {
        guard bytes.count <= limit else { return }
        guarded.withLock { guarded in
            guarded.uses += 1
            if let old = guarded.chunks.updateValue((bytes, guarded.uses), forKey: key) {
                guarded.bytes -= Int64(old.bytes.count)
            }
            guarded.bytes += Int64(bytes.count)
            while guarded.bytes > limit,
                let oldest = guarded.chunks.min(by: { $0.value.use < $1.value.use })
            {
                guarded.chunks[oldest.key] = nil
                guarded.bytes -= Int64(oldest.value.bytes.count)
            }
        }
    }
}
