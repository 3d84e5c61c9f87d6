/// A contiguous range of bytes in a video (C2).
public struct ByteRange: Sendable, Hashable, Codable {
    /// The position of the first byte, counted from 0.
    public let offset: Int64
    /// The number of bytes; never negative.
    public let length: Int64

    /// Creates a range of `length` bytes starting at `offset`.
    public init(offset: Int64, length: Int64) {
        precondition(offset >= 0 && length >= 0, "a byte range is never negative")
        (self.offset, self.length) = (offset, length)
    }

    /// Creates the range from `start` up to, but not including, `end`.
    public init(from start: Int64, to end: Int64) {
        self.init(offset: start, length: max(0, end - start))
    }

    /// The position after the last byte.
    public var end: Int64 { offset + length }

    /// True if the range contains no byte.
    public var isEmpty: Bool { length == 0 }

    /// True if the byte at `position` lies in the range.
    public func contains(_ position: Int64) -> Bool { position >= offset && position < end }

    /// True if every byte of `other` lies in the range; always true for an empty one.
    public func contains(_ other: Self) -> Bool {
        other.isEmpty || (other.offset >= offset && other.end <= end)
    }

    /// True if at least one byte lies in both ranges.
    public func overlaps(_ other: Self) -> Bool { max(offset, other.offset) < min(end, other.end) }

    /// The bytes that lie in both ranges; nil if there are none.
    public func intersection(_ other: Self) -> Self? {
        guard overlaps(other) else { return nil }
        return Self(from: max(offset, other.offset), to: min(end, other.end))
    }
}

extension ByteRange: CustomStringConvertible {
    /// The range as HTTP writes it: first and last position, `0-1023`.
    public var description: String { isEmpty ? "nothing at \(offset)" : "\(offset)-\(end - 1)" }
}
