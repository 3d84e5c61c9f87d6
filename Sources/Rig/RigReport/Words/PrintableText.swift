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
