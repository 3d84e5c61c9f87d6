/// Text from outside, made fit to be shown.
package enum PrintableText {
    /// The text on one line, without what would steer a terminal or turn other text around.
    package static func line(_ text: String) -> String { replacing(text, but: []) }

    /// The same for a text of several lines, which stay lines.
    package static func lines(_ text: String) -> String { replacing(text, but: ["\n"]) }

    /// True for what does something to the text around it instead of being shown.
    static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Marks, embeddings, overrides and isolates of the direction of writing.
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
