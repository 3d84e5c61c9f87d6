/// One stored chunk, as the rig's own query read it from a copy of the state.
package struct StoredChunk: Sendable, Hashable, Codable {
    package let range: Range<Int64>
    /// Whether the stored checksum matches the stored bytes; nil when none is kept.
    package let checksumMatches: Bool?
    package let differingBytes: Int64

    package init(range: Range<Int64>, checksumMatches: Bool?, differingBytes: Int64) {
        (self.range, self.checksumMatches) = (range, checksumMatches)
        self.differingBytes = differingBytes
    }

    package var isRecovered: Bool { !failsOwnChecksum && differingBytes == 0 }
    package var failsOwnChecksum: Bool { checksumMatches == false }
}

/// The state as the kill left it, read from a copy before any relaunch.
package struct Autopsy: Sendable, Hashable, Codable {
    /// What the database's own integrity check says; `ok` when nothing is wrong.
    package let integrityCheck: String
    package let chunks: [StoredChunk]
    /// The ranges that the worker's own table claims to hold.
    package let claimedRanges: ByteRanges
    package let firstDifference: Difference?

    package init(
        integrityCheck: String, chunks: [StoredChunk], claimedRanges: ByteRanges,
        firstDifference: Difference?
    ) {
        (self.integrityCheck, self.chunks) = (integrityCheck, chunks)
        (self.claimedRanges, self.firstDifference) = (claimedRanges, firstDifference)
    }

    package var recovered: ByteRanges { ByteRanges(chunks.filter(\.isRecovered).map(\.range)) }
    package var corruptBytes: Int64 { chunks.reduce(0) { $0 + $1.differingBytes } }

    /// Stored bytes that differ from the origin's and that no checksum reveals.
    package var undetectedBytes: Int64 {
        chunks.reduce(0) { $0 + ($1.failsOwnChecksum ? 0 : $1.differingBytes) }
    }
}
