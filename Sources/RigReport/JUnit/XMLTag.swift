/// An element of an XML 1.0 document.
///
/// Whatever text goes into it, the document is well-formed and says nothing but that text.
struct XMLTag: Sendable, Hashable {
    /// What stands between an element's tags.
    enum Content: Sendable, Hashable {
        case tags([XMLTag])
        case text(String)
    }

    let name: String
    /// Names and values in order.
    let attributes: [Attribute]
    let content: Content

    /// An attribute; its name is the program's own, its value may be anybody's.
    struct Attribute: Sendable, Hashable {
        let name: String
        let value: String
    }

    init(_ name: String, _ attributes: [(String, String?)] = [], _ content: Content = .tags([])) {
        self.name = name
        self.attributes = attributes.compactMap { name, value in
            value.map { Attribute(name: name, value: $0) }
        }
        self.content = content
    }

    /// The document with this element as its root, with a line end.
    var document: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text(indent: "") + "\n"
    }

    private func text(indent: String) -> String {
        let start = attributes.reduce(into: "\(indent)<\(name)") { text, attribute in
            text += " \(attribute.name)=\"\(Self.escaped(attribute.value, in: .attribute))\""
        }
        switch content {
        case .tags(let tags) where tags.isEmpty: return "\(start)/>"
        case .tags(let tags):
            let lines = tags.map { $0.text(indent: indent + "  ") }.joined(separator: "\n")
            return "\(start)>\n\(lines)\n\(indent)</\(name)>"
        case .text(let text):
            return "\(start)>\(Self.escaped(text, in: .text))</\(name)>"
        }
    }

    /// Where a text stands: in an attribute, readers turn line breaks and tabs into spaces.
    enum Place {
        case attribute, text
    }

    /// A text as XML that reads as this text again, but for what no XML may hold: that becomes
    /// U+FFFD, so that it is seen that something was there.
    static func escaped(_ text: String, in place: Place) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // Only `]]>` asks for it, but then it must be.
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\n" where place == .attribute: result += "&#10;"
            case "\t" where place == .attribute: result += "&#9;"
            default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    /// XML 1.0's `Char`, without the control characters that it merely discourages: they would
    /// steer the terminal of whoever looks at the file.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA: true
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
