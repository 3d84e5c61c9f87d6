internal import LoopbackHTTP

/// What a `Range` header asks of a resource of a given length (RFC 9110, 14.1 and 14.2).
enum ByteRangeHeader: Sendable, Hashable {
    /// Another unit or a malformed value: the header is ignored, and the whole resource is sent.
    case ignored
    /// One range, clamped to the resource; never empty.
    case single(Range<Int64>)
    /// Several ranges, clamped, without those outside; sending the whole resource is allowed, too.
    case several([Range<Int64>])
    /// None of the ranges lies within the resource.
    case unsatisfiable

    /// Parses a header's value for a resource of `length` bytes.
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
        let specs = elements.compactMap { Spec($0) }
        // One malformed range makes the whole header malformed.
        guard !specs.isEmpty, specs.count == elements.count else {
            self = .ignored
            return
        }
        let ranges = specs.compactMap { $0.positions(within: length) }
        if specs.count == 1, let range = ranges.first {
            self = .single(range)
        } else {
            self = ranges.isEmpty ? .unsatisfiable : .several(ranges)
        }
    }

    /// One element of the header's list.
    private enum Spec {
        /// `a-` or `a-b`; b is the last position, inclusive.
        case from(first: Int64, last: Int64)
        /// `-n`: the last n bytes.
        case suffix(count: Int64)

        init?(_ text: Substring) {
            guard let dash = text.firstIndex(of: "-") else { return nil }
            let before = text[..<dash]
            let after = text[text.index(after: dash)...]
            switch (before.isEmpty, after.isEmpty) {
            case (true, true):
                return nil
            case (true, false):
                guard let count = Self.number(after) else { return nil }
                self = .suffix(count: count)
            case (false, true):
                guard let first = Self.number(before) else { return nil }
                self = .from(first: first, last: .max)
            case (false, false):
                guard let first = Self.number(before), let last = Self.number(after) else {
                    return nil
                }
                guard Self.isOrdered(before, after) else { return nil }
                self = .from(first: first, last: last)
            }
        }

        /// The positions, or nil if the resource has none of them.
        func positions(within length: Int64) -> Range<Int64>? {
            switch self {
            case .from(let first, let last):
                first < length ? first..<min(last, length - 1) + 1 : nil
            case .suffix(let count):
                count > 0 && length > 0 ? length - min(count, length)..<length : nil
            }
        }

        /// A decimal number; one that needs more than 63 bits becomes the largest `Int64`.
        private static func number(_ digits: Substring) -> Int64? {
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int64(digits) ?? .max
        }

        /// True when the first number is at most the second; works for numbers beyond 63 bits.
        private static func isOrdered(_ first: Substring, _ last: Substring) -> Bool {
            let one = first.drop { $0 == "0" }
            let other = last.drop { $0 == "0" }
            if one.count != other.count { return one.count < other.count }
            return one <= other
        }
    }
}
