/// A real, playable MP4 of any length as a pure function of (seed, length): a clip of 19 KB and a
/// `free` box, whose blocks (`FixtureBlock`) make a hole, a stale or a shifted block recognisable.
package struct FixtureVideo: VideoSource {
    /// The shortest video, in bytes: the clip and the header of an empty box.
    package static let minimumLength = Clip.count + 8

    /// The length of the leading clip; all but a part of it is the same in every fixture video.
    package static let clipLength = Clip.count

    package let seed: UInt64

    package let length: Int64

    /// The clip with its gap filled, and the header of the last box.
    private let head: [UInt8]

    /// Creates a video of at least `minimumLength` bytes; throws `FixtureError.tooShort` for fewer.
    package init(seed: UInt64, length: Int64) throws(FixtureError) {
        guard length >= Self.minimumLength else {
            throw .tooShort(length: length, minimum: Self.minimumLength)
        }
        (self.seed, self.length) = (seed, length)
        var head = Clip.bytes
        head.withUnsafeMutableBytes {
            FixtureBlock.fill(
                UnsafeMutableRawBufferPointer(rebasing: $0[Clip.gap]),
                at: Int64(Clip.gap.lowerBound), seed: seed)
        }
        self.head = head + Self.freeBox(length - Clip.count)
    }

    /// The header of the `free` box at the end, which players skip (ISO/IEC 14496-12, 8.1.2).
    private static func freeBox(_ size: Int64) -> [UInt8] {
        func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
        let name = Array("free".utf8)
        if let short = UInt32(exactly: size) { return bigEndian(short) + name }
        // A 32-bit size of 1 means that the real size, of 64 bits, follows the name.
        return bigEndian(UInt32(1)) + name + bigEndian(UInt64(size))
    }

    /// Identifies the content; the 2 is the version of the format (clip and blocks).
    package var identity: String { "fixture2-\(String(seed, radix: 16))-\(length)" }

    /// The video itself, in its first version.
    package var owner: BlockOwner? { BlockOwner(seed: seed) }

    /// Where the blocks begin; the first may lack its start, the last its end.
    package var payloadStart: Int64 { Int64(head.count) }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FixtureError) {
        try checkWindow(at: offset, count: buffer.count)
        let headCount = Int(max(0, min(Int64(buffer.count), payloadStart - offset)))
        if headCount > 0 { head.copy(to: .init(rebasing: buffer[..<headCount]), from: offset) }
        FixtureBlock.fill(
            .init(rebasing: buffer[headCount...]), at: offset + Int64(headCount), seed: seed)
    }
}
