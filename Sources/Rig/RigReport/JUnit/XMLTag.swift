internal import RigModel

/// An element of XML 1.0: well-formed, whatever texts it contains, and it means exactly those.
struct XMLTag {
    enum Content {
        case tags([XMLTag])
        case text(String)
    }

    private let name: String
    private let attributes: [(name: String, value: String)]
    private let content: Content

    init(_ name: String, _ attributes: [(String, String?)] = [], _ content: Content = .tags([])) {
        (self.name, self.content) = (name, content)
        self.attributes = attributes.compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
    }

    var document: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text(indent: "") + "\n"
    }

    private func text(indent: String) -> String {
        let start = attributes.reduce(into: "\(indent)<\(name)") { text, attribute in
            text += " \(attribute.name)=\"\(Self.escaped(attribute.value, inAttribute: true))\""
        }
        switch content {
        case .tags(let tags) where tags.isEmpty: return "\(start)/>"
        case .tags(let tags):
            let lines = tags.map { $0.text(indent: indent + "  ") }.joined(separator: "\n")
            return "\(start)>\n\(lines)\n\(indent)</\(name)>"
        case .text(let text): return "\(start)>\(Self.escaped(text))</\(name)>"
        }
    }

    /// Escapes a text so that readers restore it; what XML cannot hold is seen as U+FFFD.
    private static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // Required only in `]]>`, but always allowed.
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            // In attributes, readers turn line breaks and tabs into spaces.
            case "\n" where inAttribute: result += "&#10;"
            case "\t" where inAttribute: result += "&#9;"
            default: result.unicodeScalars.append(scalar.isStorable ? scalar : "\u{FFFD}")
            }
        }
        return result
    }
}
