package import RigModel
package import Yams

/// A position in a text.
package struct Place: Sendable, Hashable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in Unicode scalars.
    package let column: Int

    package static let start = Place(line: 1, column: 1)
}

/// A text in a YAML file, with its position.
package struct LocatedText: Sendable, Hashable {
    package let text: String
    /// Where the text begins.
    package let place: Place
}

/// The text of a YAML file, for errors that name a position.
package struct YAMLText: Sendable {
    /// The file's name, as the user gave it.
    package let name: String
    package let text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }

    /// The position as shown in errors: `rig.yml:4:5`.
    package func title(of place: Place) -> String { "\(name):\(place.line):\(place.column)" }

    package func wrong(_ place: Place, _ what: String) -> RigError {
        RigError(.usage, "\(title(of: place)): \(what)")
    }

    /// Where a node begins.
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
        default:
            return wrong(.start, "\(error); mend the YAML")
        }
    }
}

extension Place {
    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }

    /// The position right after a text.
    package init(after text: Substring.UnicodeScalarView) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(line: max(1, lines.count), column: (lines.last?.count ?? 0) + 1)
    }
}
