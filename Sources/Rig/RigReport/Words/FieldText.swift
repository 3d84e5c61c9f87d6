/// Converts numbers to CSV fields and back, independent of machine and locale.
enum FieldText {
    static func integer<Number: FixedWidthInteger>(_ text: String) -> Number? {
        guard text.utf8.allSatisfy(isDigit) else { return nil }
        return Number(text)
    }

    /// Parses a count; nil above 2^53, which no run reaches and a Double cannot represent exactly.
    static func count<Number: FixedWidthInteger>(_ text: String) -> Number? {
        guard let number: Number = integer(text), number <= 1 << 53 else { return nil }
        return number
    }

    /// Parses digits with at most one point between them; nil for anything else.
    static func decimal(_ text: String) -> Double? {
        guard let first = text.utf8.first, let last = text.utf8.last, isDigit(first), isDigit(last),
            text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
