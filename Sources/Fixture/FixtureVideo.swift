/// A real, playable MP4 of any length as a pure function of (seed, length).
///
/// It is a real H.264 clip followed by one `free` box. The clip is the same for every seed; the
/// box's payload is made of blocks that name their own offset and the seed (`FixtureBlock`), so
/// that a hole, a stale block or a shifted block is recognisable (`BlockDiagnosis`).
package struct FixtureVideo: VideoSource {
    /// The shortest video, in bytes: the clip and the header of an empty box.
    package static let minimumLength = Clip.count + FreeBox.minimumSize

    /// How many leading bytes are the clip, the same in every fixture video.
    package static let clipLength = Clip.count

    /// What the payload follows from.
    package let seed: UInt64

    /// How many bytes the video has.
    package let length: Int64

    private let boxHeader: [UInt8]
    /// All bytes, where they were computed once and for all.
    private var kept: [UInt8]?

    /// A video of a length in bytes.
    ///
    /// - Parameters:
    ///   - seed: any number; other seeds give other payloads.
    ///   - length: at least `minimumLength`.
    /// - Throws: `FixtureError.tooShort`.
    package init(seed: UInt64, length: Int64) throws(FixtureError) {
        guard length >= Self.minimumLength else {
            throw .tooShort(length: length, minimum: Self.minimumLength)
        }
        self.seed = seed
        self.length = length
        boxHeader = FreeBox(size: length - Clip.count).header
    }

    /// The same video with its bytes in memory, where it is short enough: for one that is read many
    /// times.
    ///
    /// Bytes from memory come several times as fast as computed ones; longer videos would take too
    /// much of it.
    ///
    /// - Parameter most: the most bytes to keep.
    /// - Returns: the video, kept or not.
    /// - Throws: `FixtureError`, which a window inside the video never does.
    package func keeping(upTo most: Int64 = MemoryVideo.most) throws -> FixtureVideo {
        guard length <= most else { return self }
        var video = self
        video.kept = try bytes(in: 0..<length)
        return video
    }

    /// Names the content; the 1 is the format of the blocks.
    package var identity: String { "fixture1-\(String(seed, radix: 16))-\(length)" }

    /// Where the blocks begin; the first may be cut at its front, the last at its end.
    package var payloadStart: Int64 { Clip.count + Int64(boxHeader.count) }

    /// Fills the buffer with the bytes from `offset` on, computed on the spot unless they are kept.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FixtureError) {
        try checkWindow(at: offset, count: buffer.count)
        if let kept { return kept.copy(to: buffer, from: offset) }
        var rest = buffer
        var position = offset
        Self.copy(Clip.bytes, startingAt: 0, to: &rest, at: &position)
        Self.copy(boxHeader, startingAt: Clip.count, to: &rest, at: &position)
        FixtureBlock.fill(rest, at: position, seed: seed)
    }

    /// Copies the part of `piece` that the window begins with, and moves the window past it.
    private static func copy(
        _ piece: [UInt8], startingAt start: Int64,
        to rest: inout UnsafeMutableRawBufferPointer, at position: inout Int64
    ) {
        let skipped = position - start
        guard skipped < piece.count, !rest.isEmpty else { return }
        let part = piece[Int(skipped)...].prefix(rest.count)
        rest.copyBytes(from: part)
        position += Int64(part.count)
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[part.count...])
    }
}
