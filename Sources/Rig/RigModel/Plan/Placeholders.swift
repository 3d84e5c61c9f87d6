/// Words in braces, of letters, digits, `_` and `-`, that are replaced in a worker's profile.
///
/// Braces with a blank or a line break, as in configuration files, are plain text. So are braces
/// after `$` or `%`, as in shell variables and format strings.
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

    /// The text with values filled in in one pass: they are not searched again; others stay.
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
