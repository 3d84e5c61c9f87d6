extension YAMLText {
    /// A text as YAML: plain if any reader takes it for a text, otherwise in double quotes.
    package static func quoted(_ text: String) -> String {
        let isWord = text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\/+-]*/) != nil
        let keywords: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        if isWord, !keywords.contains(text.lowercased()) { return text }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                "\\u" + String(0x10000 + scalar.value, radix: 16).dropFirst()
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
