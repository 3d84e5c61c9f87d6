package import RigModel
package import Yams

package struct Place: Sendable, Hashable {
    package let line: Int
    /// The column, from 1, in Unicode scalars.
    package let column: Int

    package static let start = Place(line: 1, column: 1)
}

package struct LocatedText: Sendable, Hashable {
    package let text: String
    package let place: Place
}

/// The text of a YAML file, for errors that name a position.
package struct YAMLText: Sendable {
    package let name: String
    package let text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }

    /// The position as shown in errors: `rig.yml:4:5`.
    package func title(of place: Place) -> String { "\(name):\(place.line):\(place.column)" }

    package func wrong(_ place: Place, _ what: String) -> RigError {
        RigError(.usage, "\(title(of: place)): \(what)")
    }

    package func place(_ node: Node) -> Place { node.mark.map(Place.init) ?? .start }

    package func index(of place: Place) -> String.Index? {
        let scalars = text.unicodeScalars
        let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(place.line - 1) else { return nil }
        let line = lines[place.line - 1]
        return scalars.index(line.startIndex, offsetBy: place.column - 1, limitedBy: line.endIndex)
    }
}

extension YAMLText {
    /// The document's single node; exit code 64 for invalid YAML, or with `toDo` for an empty text.
    package func root(orElse toDo: String) throws(RigError) -> Node {
        do {
            if let node = try Yams.compose(yaml: text) { return node }
        } catch let error as YamlError {
            throw describe(error)
        } catch {
            throw wrong(.start, "\(error); mend the YAML")
        }
        throw wrong(.start, "it is empty; \(toDo)")
    }

    private func describe(_ error: YamlError) -> RigError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return wrong(Place(mark), "\(problem); mend the YAML")
        case .duplicatedKeysInMapping(let keys, let context):
            let list = keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            return wrong(Place(context.mark), "\(list) is there more than once; keep one")
        case .reader(let problem, let offset, _, _):
            return wrong(
                Place(after: text.prefix(offset ?? 0).unicodeScalars),
                "\(problem); take the character out")
        default: return wrong(.start, "\(error); mend the YAML")
        }
    }
}

extension Place {
    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }

    package init(after text: Substring.UnicodeScalarView) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(line: max(1, lines.count), column: (lines.last?.count ?? 0) + 1)
    }
}

extension YAMLText {
    /// A node of the file as a value; exit code 64 with the position where it is none.
    func decode<Value: Decodable>(
        _ type: Value.Type, from root: Node, knowing knowledge: [String: Any] = [:]
    ) throws(RigError) -> Value {
        var userInfo: [CodingUserInfoKey: Any] = [:]
        for (name, value) in knowledge {
            if let key = CodingUserInfoKey(rawValue: name) { userInfo[key] = value }
        }
        do {
            return try YAMLDecoder().decode(type, from: root, userInfo: userInfo)
        } catch let error as DecodingError {
            throw wrong(error, in: root)
        } catch {
            throw wrong(.start, "\(error); mend the file")
        }
    }

    private func wrong(_ error: DecodingError, in root: Node) -> RigError {
        let (path, what): ([any CodingKey], String?) =
            switch error {
            case .keyNotFound(let key, let context):
                (context.codingPath, "'\(key.stringValue)' is missing; write it")
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context.codingPath, nil)
            // Of a word that is none of several, Swift says the name of a type.
            case .dataCorrupted(let context):
                (
                    context.codingPath,
                    context.debugDescription.hasPrefix("Cannot initialize")
                        ? nil : context.debugDescription
                )
            @unknown default: ([], "\(error); mend the file")
            }
        let found = node(
            at: path.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }, in: root)
        let meant = found.scalar.map { "'\($0.string)'" } ?? "what stands here"
        return wrong(place(found), what ?? "\(meant) cannot be meant; write another")
    }

    /// The node at a path of keys and indices; the last one on it that there is.
    func node(at path: [String], in root: Node) -> Node {
        var node = root
        for step in path {
            let items = node.sequence.map { Array($0) } ?? []
            let item = Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
            guard let next = item ?? node.mapping?[step] else { break }
            node = next
        }
        return node
    }
}

extension YAMLText {
    func checkPlaceholders(
        in located: LocatedText, known: Set<String>, hint: [String: String] = [:]
    ) throws(RigError) {
        guard let name = Placeholders.names(in: located.text).first(where: { !known.contains($0) })
        else { return }
        let list = known.sorted().map(Placeholders.text).joined(separator: " ")
        throw wrong(
            place(of: name, from: located.place),
            "there is no placeholder {\(name)} here: "
                + (hint[name] ?? "use one of \(list), or put a blank into braces that are text"))
    }

    /// Where a placeholder first occurs after a position; that position if it is not found.
    private func place(of name: String, from other: Place) -> Place {
        guard let start = index(of: other),
            let found = Placeholders.occurrences(in: text[start...]).first(where: {
                $0.name == name
            })
        else { return other }
        let before = text.unicodeScalars[..<found.range.lowerBound]
        return Place(after: before)
    }
}

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
