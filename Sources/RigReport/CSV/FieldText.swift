/// Fields of a CSV file as numbers and back, the same on every machine and in every locale.
enum FieldText {
    /// Reads digits only; nil for anything else.
    static func integer<Number: FixedWidthInteger>(_ text: String) -> Number? {
        guard text.utf8.allSatisfy(isDigit) else { return nil }
        return Number(text)
    }

    /// Reads what was counted; nil beyond 2^53, more than any run has and than a Double tells apart.
    static func count<Number: FixedWidthInteger>(_ text: String) -> Number? {
        guard let number: Number = integer(text), number <= 1 << 53 else { return nil }
        return number
    }

    /// Reads digits with at most one point between them; nil for anything else.
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
