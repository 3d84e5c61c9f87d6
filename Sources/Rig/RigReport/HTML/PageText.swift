import Mustache

/// Escapes text for HTML by Unicode scalars, as browsers read it: to Mustache's own escaping a
/// quotation mark with a combining accent is another character.
struct PageText: MustacheContentType {
    static let name = "PAGE"

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// The longest prefix that takes at most `bytes` bytes on the page; `…` marks a cut.
    static func clipped(_ text: String, bytes: Int) -> String {
        var size = 0
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            var written = ""
            append(scalar, to: &written)
            size += written.utf8.count
            guard size <= bytes else { return String(kept) + "…" }
            kept.append(scalar)
        }
        return text
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "'": result += "&#39;"
        case "\n", "\t": result.unicodeScalars.append(scalar)
        case "\u{00}"..."\u{1F}": appendPicture(0x2400 + scalar.value, to: &result)
        case "\u{7F}": appendPicture(0x2421, to: &result)
        case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
        // Direction controls can make a text display something else.
        case _ where PrintableText.steers(scalar):
            result += "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
        default: result.unicodeScalars.append(scalar)
        }
    }

    private static func appendPicture(_ code: UInt32, to result: inout String) {
        result.unicodeScalars.append(Unicode.Scalar(code) ?? "\u{FFFD}")
    }
}
