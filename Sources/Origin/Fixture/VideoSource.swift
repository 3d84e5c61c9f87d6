/// The bytes of one video, which the origin serves and the judge compares: any window on demand.
package protocol VideoSource: Sendable {
    var length: Int64 { get }

    /// A name for the content, of letters, digits, `-` and `.`: equal identities mean equal bytes.
    var identity: String { get }

    /// The video and version whose blocks these are; nil for a video without blocks.
    var owner: BlockOwner? { get }

    /// Fills the buffer with the bytes from `offset`; throws outside the video, or if unreadable.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws
}

extension VideoSource {
    package var owner: BlockOwner? { nil }

    /// The bytes of one window, in an array; the range must lie within `0 ..< length`.
    package func bytes(in range: Range<Int64>) throws -> [UInt8] {
        let count = Int(range.upperBound - range.lowerBound)
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            try read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]),
                at: range.lowerBound)
            filled = count
        }
    }

    /// Throws unless a window of `count` bytes at `offset` is inside the video.
    package func checkWindow(at offset: Int64, count: Int) throws(FixtureError) {
        guard offset >= 0, Int64(count) <= length, offset <= length - Int64(count) else {
            throw .outsideVideo(offset: offset, count: count, length: length)
        }
    }
}
