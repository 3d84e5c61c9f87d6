/// What a `Range` header asks of a resource of a given length (RFC 9110, 14.1 and 14.2).
package enum RangeHeader: Sendable, Hashable {
    /// Another unit or a malformed value: the header is ignored, and the whole resource is sent.
    case ignored
    /// One range, clamped to the resource; never empty.
    case single(Range<Int64>)
    /// Several ranges, clamped, without those outside; a server may send the first of them.
    case several([Range<Int64>])
    /// None of the ranges lies within the resource.
    case unsatisfiable

    /// Parses a header's value for a resource of `length` bytes.
    package init(_ value: String, length: Int64) {
        let halves = value[...].split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isOfBytes = halves.count == 2 && halves[0].trimmingBlanks().lowercased() == "bytes"
        // A list may have empty elements (RFC 9110, 5.6.1.2).
        let elements = (isOfBytes ? halves[1] : "").split(separator: ",")
            .map { $0.trimmingBlanks() }
            .filter { !$0.isEmpty }
        let ranges = elements.compactMap { Self.range($0, length: length) }
        let there = ranges.filter { !$0.isEmpty }
        if ranges.isEmpty || ranges.count < elements.count {
            // One malformed range makes the whole header malformed.
            self = .ignored
        } else if let first = there.first {
            self = elements.count == 1 ? .single(first) : .several(there)
        } else {
            self = .unsatisfiable
        }
    }

    /// The bytes of `a-b`, `a-` or `-n`, empty if the resource has none of them; nil for no range.
    private static func range(_ text: Substring, length: Int64) -> Range<Int64>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        guard !parts[0].isEmpty else {
            return number(parts[1]).map { length - min($0, length)..<length }
        }
        guard let first = number(parts[0]) else { return nil }
        var last = Int64.max
        if !parts[1].isEmpty {
            guard let number = number(parts[1]), number >= first else { return nil }
            last = number
        }
        return min(first, length)..<max(min(first, length), min(last, length - 1) + 1)
    }

    /// A decimal number; one too large for 63 bits counts as the largest.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isDecimal ? Int64(digits) ?? .max : nil
    }
}

extension StringProtocol {
    /// True for digits alone, at least one: a sign is none.
    var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
