internal import VideoCache

/// What a player's `Range` header asks of a video of a given length (RFC 9110, 14.1 and 14.2).
enum RangeHeader: Sendable, Hashable {
    /// Nothing to heed: another unit, or not a range at all. The whole is the answer.
    case ignored
    /// The first range that the video has bytes of, clamped to the video; never empty.
    case satisfiable(ByteRange)
    /// The video has none of the bytes.
    case unsatisfiable

    /// Reads a header's value.
    ///
    /// Of several ranges only the first is answered, which RFC 9110 allows: players ask for one,
    /// and those who ask for more want at least the first.
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

    /// The bytes of `a-b`, `a-` or `-n`; an empty range when the video has none of them.
    ///
    /// Nil for what is no range.
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

extension StringProtocol {
    /// The text without the blanks and tabs around it (RFC 9110, 5.6.3).
    func trimmingBlanks() -> SubSequence {
        let front = drop { $0 == " " || $0 == "\t" }
        guard let last = front.lastIndex(where: { $0 != " " && $0 != "\t" }) else {
            return front
        }
        return front[...last]
    }
}
