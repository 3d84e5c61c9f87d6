/// Functions of at most 70 lines, files of at most 400.
enum LengthRule {
    static let longestFunction = 70
    static let longestFile = 400

    /// A declaration with a body, and its lines from the keyword to the closing brace.
    struct Function: Hashable {
        let name: String
        let line: Int
        let lineCount: Int
    }

    /// The functions and files that are too long.
    static func violations(in source: SwiftSource) -> [Violation] {
        let long = functions(of: source).filter { $0.lineCount > longestFunction }.map {
            Violation(
                path: source.path, line: $0.line,
                text: "\($0.name) has \($0.lineCount) lines, \(longestFunction) at most:"
                    + " give its parts names of their own")
        }
        guard source.lineCount > longestFile else { return long }
        let text = "\(source.lineCount) lines, \(longestFile) at most: one subject per file"
        return long + [Violation(path: source.path, text: text)]
    }

    /// Functions, initialisers, subscripts and computed properties with their lengths.
    static func functions(of source: SwiftSource) -> [Function] {
        source.tokens.indices.compactMap { index in
            let keyword = source.tokens[index]
            guard keywords.contains(keyword.text),
                index == 0 || source.tokens[index - 1].text != ".",
                let opening = bodyStart(after: index, in: source),
                let end = source.closing(of: opening)
            else { return nil }
            return Function(
                name: [keyword.text, source.tokens[index + 1].text].joined(separator: " "),
                line: keyword.line, lineCount: source.tokens[end].line - keyword.line + 1)
        }
    }

    private static let keywords: Set<String> = ["deinit", "func", "init", "subscript", "var"]

    /// Tokens that begin the next declaration, so that the one before had no body.
    private static let nextDeclaration: Set<String> = [
        "}", "actor", "associatedtype", "case", "class", "deinit", "enum", "extension",
        "fileprivate", "func", "import", "init", "internal", "let", "mutating", "nonisolated",
        "package", "private", "protocol", "public", "static", "struct", "subscript", "typealias",
        "var",
    ]

    /// The index of the body's brace; nil for a requirement or a stored property.
    private static func bodyStart(after keyword: Int, in source: SwiftSource) -> Int? {
        let isProperty = source.tokens[keyword].text == "var"
        var index = keyword + 1
        while index < source.tokens.count {
            let token = source.tokens[index]
            switch token.text {
            case "{": return index
            case "(", "[":
                guard let end = source.closing(of: index) else { return nil }
                index = end
            case "=" where isProperty: return nil
            case _ where nextDeclaration.contains(token.text): return nil
            case _ where isProperty && token.line > source.tokens[index - 1].line: return nil
            default: break
            }
            index += 1
        }
        return nil
    }
}
