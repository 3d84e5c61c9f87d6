/// A Swift file in the form that the rules read.
struct SwiftSource {
    /// A word, or a single other character, with its line, counted from 1.
    struct Token: Hashable {
        let text: String
        let line: Int
        /// True if no space separates it from the token before: `try!`, but not `try !a`.
        let isGlued: Bool
    }

    /// The path relative to the repository, with `/` between folders.
    let path: String
    /// The lines as written.
    let lines: [String]
    /// The tokens that the compiler sees: no comments, no string contents.
    let tokens: [Token]
    /// Why the file could not be read to its end.
    let violation: Violation?
    /// Where each token occurs: the rules look for dozens of them in a million.
    private let places: [String: [Int]]

    /// Reads a file's text.
    init(path: String, text: String) {
        self.path = path
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        var tokens: [Token] = []
        var violation: Violation?
        do throws(CodeMask.LostPlace) {
            tokens = Self.tokens(in: try CodeMask.mask(text))
        } catch {
            violation = Violation(
                path: path, line: error.line,
                text: "a string or comment has no end here; a regex literal with a quote in it"
                    + " must be written as Regex(\"…\")")
        }
        (self.tokens, self.violation) = (tokens, violation)
        places = Dictionary(grouping: tokens.indices) { tokens[$0].text }
    }

    /// Lines of text, not counting what follows the last line break.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    /// The target's folder in its room below `Sources` or `Tests`, or the package's below
    /// `harness`.
    ///
    /// `Sources/Witness` is room and target at once.
    var target: String {
        let folders = path.split(separator: "/").dropLast()
        let isInARoom = ["Sources", "Tests"].contains(folders.first) && folders.count > 2
        let room = ["Rig", "Origin", "Witness", "Cache", "System"].contains(
            folders.dropFirst().first)
        return folders.dropFirst(isInARoom && room ? 2 : 1).first.map(String.init) ?? ""
    }

    /// Where the tokens occur in this order, as the index of the first.
    func occurrences(of sequence: [String]) -> [Int] {
        (places[sequence[0]] ?? []).filter { start in
            tokens[start...].prefix(sequence.count).map(\.text) == sequence
        }
    }

    /// The index of the bracket that closes the one at `opening`; nil if there is none.
    func closing(of opening: Int) -> Int? {
        let pairs = ["(": ")", "[": "]", "{": "}"]
        guard let closer = pairs[tokens[opening].text] else { return nil }
        var depth = 0
        for index in tokens[opening...].indices {
            if tokens[index].text == tokens[opening].text { depth += 1 }
            if tokens[index].text == closer { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static func tokens(in code: String) -> [Token] {
        let bytes = Array(code.utf8)
        var tokens: [Token] = []
        var wordStart: Int?
        var line = 1
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : UInt8(ascii: "\n")
            if isPartOfWord(byte) {
                wordStart = wordStart ?? index
                continue
            }
            if let start = wordStart {
                let word = String(decoding: bytes[start..<index], as: UTF8.self)
                let isGlued = start > 0 && bytes[start - 1] > UInt8(ascii: " ")
                tokens.append(Token(text: word, line: line, isGlued: isGlued))
                wordStart = nil
            }
            if byte == UInt8(ascii: "\n") {
                line += 1
            } else if byte > UInt8(ascii: " ") {
                let isGlued = index > 0 && bytes[index - 1] > UInt8(ascii: " ")
                tokens.append(
                    Token(text: String(UnicodeScalar(byte)), line: line, isGlued: isGlued))
            }
        }
        return tokens
    }

    /// True for letters, digits, `_`, backticks and all non-ASCII bytes.
    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }
}

/// A violation of a house rule.
struct Violation: Hashable, CustomStringConvertible {
    let path: String
    /// Counted from 1; nil for the whole file or folder.
    var line: Int?
    /// What is wrong, and what to do.
    let text: String

    var description: String {
        [path, line.map(String.init)].compactMap(\.self).joined(separator: ":") + ": \(text)"
    }
}
