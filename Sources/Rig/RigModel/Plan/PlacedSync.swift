/// A sync that the tracer makes for a program, wherever the program makes a certain call.
package struct PlacedSync: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A file's data and length: fdatasync.
        case data
        /// A file: fsync.
        case file
        /// A folder: fsync, which makes the names in it certain.
        case folder
    }

    package let kind: Kind
    /// A glob(3) pattern below the recorded folder, or ``renamed`` for what the call renames.
    package let target: String
    package let call: String
    /// A pattern for one of the call's paths.
    package let on: String
    /// Whether it comes right before or right after that call.
    package let edge: CallMoment.Edge

    package init(
        _ kind: Kind, of target: String, _ edge: CallMoment.Edge, call: String, on: String
    ) {
        (self.kind, self.target, self.edge, self.call, self.on) = (kind, target, edge, call, on)
    }

    /// The target that is the file which the call renames.
    package static let renamed = "{renamed}"

    /// The pattern of one path alone.
    package static func literal(_ path: String) -> String {
        path.reduce(into: "") { pattern, character in
            if "*?[\\".contains(character) { pattern += "\\" }
            pattern.append(character)
        }
    }

    /// The pattern of a path, with any text for each run of digits: a program numbers its files.
    ///
    /// Or it draws their names: in a path with a word of eight hexadecimal digits or more, which has
    /// letters among them, all words of such digits are taken for drawn that have a number in them,
    /// or an even length, as folders over such files do.
    package static func pattern(of path: String) -> String {
        let words = path.matches(of: /[A-Za-z0-9]+|[^A-Za-z0-9]+/).map(\.output)
        let isDrawn = words.contains { $0.count >= 8 && $0.isHexadecimal && $0.hasBoth }
        let digits = /[0-9]+/
        return words.reduce(into: "") { pattern, word in
            let isName =
                isDrawn && word.isHexadecimal
                && (word.count.isMultiple(of: 2) || word.contains(where: \.isNumber))
            pattern += isName ? "*" : literal(String(word)).replacing(digits, with: "*")
        }
    }
}

extension Substring {
    fileprivate var isHexadecimal: Bool { allSatisfy { $0.isASCII && $0.isHexDigit } }
    fileprivate var hasBoth: Bool { contains(where: \.isNumber) && contains(where: \.isLetter) }
}
