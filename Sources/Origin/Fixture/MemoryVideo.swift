/// A video whose bytes are in memory: for small files, and bytes that are expensive to compute.
package struct MemoryVideo: VideoSource {
    package let identity: String
    package let owner: BlockOwner?

    /// The most bytes kept in memory for a video that could be read again.
    package static let most: Int64 = 64 << 20

    private let bytes: [UInt8]

    /// A video of the given bytes, identified by their number and hash.
    package init(_ bytes: [UInt8]) {
        (self.bytes, owner) = (bytes, nil)
        identity = "memory-\(String(Self.hash(bytes), radix: 16))-\(bytes.count)"
    }

    /// Copies all bytes of another source, which must fit in memory, reading it once.
    package init(copying source: some VideoSource) throws {
        bytes = try source.bytes(in: 0..<source.length)
        (identity, owner) = (source.identity, source.owner)
    }

    package var length: Int64 { Int64(bytes.count) }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FixtureError) {
        try checkWindow(at: offset, count: buffer.count)
        bytes.copy(to: buffer, from: offset)
    }

    /// FNV-1a (Fowler, Noll, Vo), 64 bits: distinguishes contents, but is not cryptographic.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension VideoSource {
    /// The same in memory, if it is short enough, where it is read several times as fast.
    package func keptInMemory(upTo most: Int64 = MemoryVideo.most) throws -> any VideoSource {
        guard length <= most else { return self }
        return try MemoryVideo(copying: self)
    }
}

extension [UInt8] {
    /// Fills a buffer with the bytes from `offset`, which must exist.
    func copy(to buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        let window = Int(offset)..<Int(offset) + buffer.count
        // A raw memory copy: copying a slice goes byte by byte in a debug build.
        withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[window])) }
    }
}
