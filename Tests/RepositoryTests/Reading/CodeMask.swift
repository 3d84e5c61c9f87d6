/// Swift source with comments and string contents blanked, and every line in place.
///
/// Interpolations stay, because they are code. A bare regex literal with a quote in it is not
/// understood, and is reported rather than guessed at.
struct CodeMask {
    /// Why a source cannot be masked.
    struct LostPlace: Error, Hashable {
        /// The line, from 1, where the string or comment without an end begins.
        let line: Int
    }

    private enum Context {
        /// Code, at this depth of parentheses.
        case code(depth: Int)
        /// A string delimited by this many `#`.
        case string(hashes: Int, isMultiline: Bool, start: Int)
    }

    private let source: [UInt8]
    private var output: [UInt8]
    private var position = 0
    private var contexts: [Context] = [.code(depth: 0)]

    /// The masked source.
    static func mask(_ source: String) throws(LostPlace) -> String {
        var mask = CodeMask(source)
        while mask.position < mask.source.count {
            mask.passPlainText()
            if mask.position < mask.source.count { try mask.step() }
        }
        if case .string(_, _, let start) = mask.contexts.last { throw mask.lost(at: start) }
        return String(decoding: mask.output, as: UTF8.self)
    }

    private init(_ source: String) {
        self.source = Array(source.utf8)
        output = self.source
    }

    /// Skips to the next character that may matter, for speed: some files are large.
    private mutating func passPlainText() {
        var isBlanked = false
        if case .string = contexts.last { isBlanked = true }
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "\n"):
                return
            default:
                if isBlanked { output[position] = UInt8(ascii: " ") }
                position += 1
            }
        }
    }

    private mutating func step() throws(LostPlace) {
        switch contexts.removeLast() {
        case .code(let depth): try stepInCode(depth: depth)
        case .string(let hashes, let isMultiline, let start):
            try stepInString(hashes: hashes, isMultiline: isMultiline, start: start)
        }
    }

    private mutating func stepInCode(depth: Int) throws(LostPlace) {
        contexts.append(.code(depth: depth))
        if isNext("//") {
            while position < source.count, source[position] != UInt8(ascii: "\n") { blank(1) }
        } else if isNext("/*") {
            try blankComment()
        } else if let string = openingDelimiter() {
            let isMultiline = isNext("\"\"\"", after: string)
            contexts.append(.string(hashes: string, isMultiline: isMultiline, start: position))
            blank(string + (isMultiline ? 3 : 1))
        } else if isNext("(") {
            replaceContext(.code(depth: depth + 1))
            position += 1
        } else if isNext(")") {
            // The end of an interpolation, or of a pair of parentheses.
            contexts.removeLast()
            if depth > 0 || contexts.isEmpty { contexts.append(.code(depth: depth - 1)) }
            position += 1
        } else {
            position += 1
        }
    }

    private mutating func stepInString(
        hashes: Int, isMultiline: Bool, start: Int
    ) throws(LostPlace) {
        let pounds = String(repeating: "#", count: hashes)
        let closing = (isMultiline ? "\"\"\"" : "\"") + pounds
        if isNext(closing) {
            blank(closing.utf8.count)
            return
        }
        contexts.append(.string(hashes: hashes, isMultiline: isMultiline, start: start))
        if isNext("\\" + pounds + "(") {
            blank(1 + hashes)
            position += 1
            contexts.append(.code(depth: 0))
        } else if isNext("\\" + pounds) {
            blank(2 + hashes)
        } else if isNext("\n"), !isMultiline {
            throw lost(at: start)
        } else {
            blank(1)
        }
    }

    private mutating func blankComment() throws(LostPlace) {
        let start = position
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                blank(2)
            } else if isNext("*/") {
                depth -= 1
                blank(2)
            } else if position < source.count {
                blank(1)
            } else {
                throw lost(at: start)
            }
        } while depth > 0
    }

    /// The number of `#` before the quote that begins a string here; nil if none begins here.
    private func openingDelimiter() -> Int? {
        var hashes = 0
        while isNext("#", after: hashes) { hashes += 1 }
        return isNext("\"", after: hashes) ? hashes : nil
    }

    private mutating func replaceContext(_ context: Context) {
        contexts.removeLast()
        contexts.append(context)
    }

    private mutating func blank(_ count: Int) {
        for index in position..<min(position + count, source.count)
        where source[index] != UInt8(ascii: "\n") { output[index] = UInt8(ascii: " ") }
        position += count
    }

    private func isNext(_ text: String, after skipped: Int = 0) -> Bool {
        let start = position + skipped
        guard start < source.count, source[start] == text.utf8.first else { return false }
        return source[start...].starts(with: text.utf8)
    }

    private func lost(at start: Int) -> LostPlace {
        LostPlace(line: source[..<start].count { $0 == UInt8(ascii: "\n") } + 1)
    }
}
