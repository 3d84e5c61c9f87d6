internal import RigModel
internal import Yams

/// A place in a text.
struct Place: Hashable {
    /// The line, from 1.
    let line: Int
    /// The column, from 1, in Unicode scalars.
    let column: Int

    /// Where a text begins.
    static let start = Place(line: 1, column: 1)
}

/// A text of a profile, with the place it stands at.
struct LocatedText {
    let text: String
    let place: Place
}

/// A profile's source, for errors that say where.
struct ProfileSource {
    /// The file's name.
    let name: String
    let text: String

    /// The error for something wrong at a place.
    func wrong(_ place: Place, _ what: String) -> RigError {
        RigError(.usage, "\(name):\(place.line):\(place.column): \(what)")
    }

    /// Where a node stands.
    func place(_ node: Node) -> Place { node.mark.map(Place.init) ?? .start }

    /// Refuses a placeholder that is not known where a text stands.
    ///
    /// - Parameters:
    ///   - located: the text.
    ///   - known: the names that are known there.
    ///   - hint: what to say of a name that is known elsewhere.
    /// - Throws: ``RigModel/RigError`` with exit code 64 for one that is not.
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

    /// The place of a placeholder's first occurrence behind another; that one, where it is written
    /// otherwise.
    private func place(of name: String, from other: Place) -> Place {
        guard let start = index(of: other),
            let found = Placeholders.occurrences(in: text[start...]).first(where: {
                $0.name == name
            })
        else { return other }
        let before = text.unicodeScalars[..<found.range.lowerBound]
        return Place(after: before)
    }

    /// Where a place lies in the text.
    private func index(of place: Place) -> String.Index? {
        let scalars = text.unicodeScalars
        let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(place.line - 1) else { return nil }
        let line = lines[place.line - 1]
        return scalars.index(line.startIndex, offsetBy: place.column - 1, limitedBy: line.endIndex)
    }
}

extension ProfileSource {
    /// The document's one node.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 for what is no YAML, or nothing.
    func root() throws(RigError) -> Node {
        do {
            if let node = try Yams.compose(yaml: text) { return node }
        } catch let error as YamlError {
            throw describe(error)
        } catch {
            throw wrong(.start, "\(error); mend the YAML")
        }
        throw wrong(.start, "it is empty; give at least name and command")
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
        default:
            return wrong(.start, "\(error); mend the YAML")
        }
    }
}

extension Place {
    /// The place of one of the parser's marks.
    fileprivate init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }

    /// The place right behind a text.
    fileprivate init(after text: Substring.UnicodeScalarView) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(line: max(1, lines.count), column: (lines.last?.count ?? 0) + 1)
    }
}
