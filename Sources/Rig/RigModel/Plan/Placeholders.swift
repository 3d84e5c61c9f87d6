/// Words in braces that are replaced in a worker's profile.
///
/// `{word}` is a placeholder: a letter, then letters, digits, `_` and `-`, directly between braces.
/// Braces that contain a blank or a line break, as in blocks of configuration files, are plain
/// text. So are braces after `$` or `%`, as in shell variables and format strings.
package enum Placeholders {
    package static func text(_ name: String) -> String { "{\(name)}" }

    package struct Occurrence {
        package let name: String
        package let range: Range<String.Index>
    }

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

    package static func names(in text: String) -> [String] { occurrences(in: text).map(\.name) }

    /// The text with its placeholders replaced in one pass: values are not searched again.
    ///
    /// Placeholders without a value stay.
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
