/// Words in braces that a worker's profile is filled in by.
///
/// `{word}` is a placeholder: a letter, then letters, digits, `_` and `-`, right between braces.
/// What has a blank or a line break in its braces, as blocks of configuration files have, is text;
/// so is what follows a `$` or a `%`, as variables of shells and formats of programs do.
package enum Placeholders {
    /// A placeholder's own text, as it stands in a profile.
    package static func text(_ name: String) -> String { "{\(name)}" }

    /// A placeholder in a text.
    package struct Occurrence {
        /// What stands between the braces.
        package let name: String
        /// Where it is, with its braces.
        package let range: Range<String.Index>
    }

    /// The placeholders in a text, in their order.
    package static func occurrences(in text: some StringProtocol) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        var start = text.startIndex
        while let open = text[start...].firstIndex(of: "{") {
            let word = text.index(after: open)
            start = word
            let isEscaped = open > text.startIndex && "$%".contains(text[text.index(before: open)])
            guard !isEscaped, let close = text[word...].firstIndex(where: { !isOfWord($0) }),
                text[close] == "}", text[word].isLetter
            else { continue }
            start = text.index(after: close)
            occurrences.append(Occurrence(name: String(text[word..<close]), range: open..<start))
        }
        return occurrences
    }

    /// The names of the placeholders in a text, in their order.
    package static func names(in text: String) -> [String] { occurrences(in: text).map(\.name) }

    /// The text with its placeholders replaced, in one pass: what a value holds is not looked at
    /// again.
    ///
    /// - Parameters:
    ///   - text: a text with placeholders.
    ///   - values: what they stand for, by their names.
    /// - Returns: the text; placeholders without a value stay.
    package static func fill(_ text: String, with values: [String: String]) -> String {
        var filled = ""
        var start = text.startIndex
        for placeholder in occurrences(in: text) {
            guard let value = values[placeholder.name] else { continue }
            filled += text[start..<placeholder.range.lowerBound] + value
            start = placeholder.range.upperBound
        }
        return filled + text[start...]
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || character == "_" || character == "-")
    }
}
