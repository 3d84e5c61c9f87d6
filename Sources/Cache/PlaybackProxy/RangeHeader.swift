internal import LoopbackHTTP
internal import VideoCache

/// The part of a video that a player's `Range` header asks for (RFC 9110, 14.1 and 14.2).
enum RangeHeader: Sendable, Hashable {
    /// Another unit, or not a valid range; the response is the whole video.
    case ignored
    /// The first range that contains bytes of the video, clamped to the video; never empty.
    case satisfiable(ByteRange)
    /// The video has none of the bytes.
    case unsatisfiable

    /// Parses a header's value.
    ///
    /// Of several ranges only the first is answered, which RFC 9110 allows. Players ask for one,
    /// and a client that asks for more wants at least the first.
    init(_ value: String, length: Int64) {
        guard let equals = value.firstIndex(of: "="),
            value[..<equals].trimmingBlanks().lowercased() == "bytes"
        else {
            self = .ignored
            return
        }
        // A list may have empty elements (RFC 9110, 5.6.1.2).
        let elements = value[value.index(after: equals)...].split(separator: ",")
            .map { $0.trimmingBlanks() }
            .filter { !$0.isEmpty }
        let ranges = elements.compactMap { Self.range($0, length: length) }
        // One malformed range makes the whole header malformed.
        guard !ranges.isEmpty, ranges.count == elements.count else {
            self = .ignored
            return
        }
        self = ranges.first { !$0.isEmpty }.map(Self.satisfiable) ?? .unsatisfiable
    }

    /// The bytes of `a-b`, `a-` or `-n`; an empty range if the video has none of them.
    ///
    /// Nil if the text is not a range.
    private static func range(_ text: Substring, length: Int64) -> ByteRange? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        guard !parts[0].isEmpty else {
            return number(parts[1]).map { ByteRange(from: length - min($0, length), to: length) }
        }
        guard let first = number(parts[0]) else { return nil }
        var last = Int64.max
        if !parts[1].isEmpty {
            guard let number = number(parts[1]), number >= first else { return nil }
            last = number
        }
        return ByteRange(from: min(first, length), to: min(last, length - 1) + 1)
    }

    /// A decimal number; one too large for 63 bits counts as the largest.
    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(digits) ?? .max
    }
}
