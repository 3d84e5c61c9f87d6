import Foundation
import RigModel

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

enum ProbabilityText {
    /// Below this, nine decimals would leave fewer than three significant digits.
    private static let least = 1e-6

    /// `0.012300000`, `3.12e-12`; 0 only for 0, and empty for one that is not finite: unknown.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        guard value > 0, value < least else { return FixedPoint.text(value, decimals: 9) }
        return String(format: "%.2e", value)
    }
}

/// Makes external text safe to display.
package enum PrintableText {
    /// The text on one line, without characters that control a terminal or the direction of text.
    package static func line(_ text: String) -> String { replacing(text, but: []) }

    /// The same for a text of several lines; its line breaks are kept.
    package static func lines(_ text: String) -> String { replacing(text, but: ["\n"]) }

    static func withoutTrailingBlanks(_ line: String) -> String {
        String(
            line.prefix(
                upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex))
    }

    /// True for a character that affects the surrounding text instead of being displayed.
    static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Marks, embeddings, overrides and isolates of the writing direction.
        case .format: scalar.properties.isBidiControl
        default: false
        }
    }

    private static func replacing(_ text: String, but kept: Set<Unicode.Scalar>) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { steers($0) && !kept.contains($0) ? " " : $0 }))
    }
}
