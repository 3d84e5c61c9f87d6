package import RigModel
package import Yams

/// A mapping of a YAML file, read strictly: a key that is not known is an error.
package struct YAMLFields {
    /// The file.
    package let source: YAMLText
    /// Where it begins.
    package let place: Place
    private let values: [String: Node]
    private let keyPlaces: [String: Place]

    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - node: what should be one.
    ///   - what: how errors call it.
    ///   - known: its keys; nil where any are.
    ///   - source: the text that it stands in.
    /// - Throws: ``RigModel/RigError`` with exit code 64 for anything else, and for other keys.
    package init(
        _ node: Node, _ what: String, known: [String]?, in source: YAMLText
    ) throws(RigError) {
        self.source = source
        place = source.place(node)
        guard let mapping = node.mapping else {
            throw source.wrong(place, "\(what) has to be a mapping; write KEY: VALUE")
        }
        var values: [String: Node] = [:]
        var keyPlaces: [String: Place] = [:]
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                throw source.wrong(source.place(key), "a key has to be a word; write KEY: VALUE")
            }
            if let known, !known.contains(name) {
                throw source.wrong(
                    source.place(key),
                    "\(what) has no key '\(name)'; the keys are \(known.joined(separator: ", "))")
            }
            values[name] = value
            keyPlaces[name] = source.place(key)
        }
        self.values = values
        self.keyPlaces = keyPlaces
    }

    /// The keys that are there, in the order of the alphabet.
    package var keys: [String] { values.keys.sorted() }

    /// What a key has; nil where it is not there.
    package func node(_ key: String) -> Node? { values[key] }

    /// Where a key stands; where the mapping begins, without it.
    package func place(of key: String) -> Place { keyPlaces[key] ?? place }

    /// The error for a key that has to be there.
    package func missing(_ key: String, _ toDo: String) -> RigError {
        source.wrong(place, "'\(key)' is missing; \(toDo)")
    }

    /// A text; nil where the key is not there.
    package func text(_ key: String) throws(RigError) -> LocatedText? {
        guard let node = values[key] else { return nil }
        return try text(node, "'\(key)'")
    }

    /// A text that has to be there.
    package func text(_ key: String, orElse toDo: String) throws(RigError) -> LocatedText {
        guard let found = try text(key) else { throw missing(key, toDo) }
        return found
    }

    /// A list of texts with at least one; nil where the key is not there.
    package func texts(_ key: String) throws(RigError) -> [LocatedText]? {
        guard let node = values[key] else { return nil }
        guard let sequence = node.sequence else {
            throw source.wrong(source.place(node), "'\(key)' has to be a list; write [one, two]")
        }
        guard !sequence.isEmpty else {
            throw source.wrong(source.place(node), "'\(key)' is empty; leave it out, or fill it")
        }
        var texts: [LocatedText] = []
        for item in sequence { texts.append(try text(item, "an item of '\(key)'")) }
        return texts
    }

    /// A text by itself, or a list of texts, which may be empty; nil where the key is not there.
    package func oneOrMoreTexts(_ key: String) throws(RigError) -> [LocatedText]? {
        guard let node = values[key] else { return nil }
        guard let sequence = node.sequence else { return [try text(node, "'\(key)'")] }
        var texts: [LocatedText] = []
        for item in sequence { texts.append(try text(item, "an item of '\(key)'")) }
        return texts
    }

    /// Whether a key has a mapping below it.
    package func hasFields(_ key: String) -> Bool { values[key]?.mapping != nil }

    /// A list of texts that has to be there.
    package func texts(_ key: String, orElse toDo: String) throws(RigError) -> [LocatedText] {
        guard let found = try texts(key) else { throw missing(key, toDo) }
        return found
    }

    /// Texts by keys that are free; none where the key is not there.
    package func textsByKey(_ key: String) throws(RigError) -> [(
        key: LocatedText, value: LocatedText
    )] {
        guard let fields = try fields(key, known: nil) else { return [] }
        var texts: [(key: LocatedText, value: LocatedText)] = []
        for name in fields.keys {
            guard let value = try fields.text(name) else { continue }
            texts.append((LocatedText(text: name, place: fields.place(of: name)), value))
        }
        return texts
    }

    /// A mapping below a key; nil where the key is not there.
    package func fields(_ key: String, known: [String]?) throws(RigError) -> YAMLFields? {
        guard let node = values[key] else { return nil }
        return try YAMLFields(node, "'\(key)'", known: known, in: source)
    }

    /// `true` or `false`; false where the key is not there.
    package func flag(_ key: String) throws(RigError) -> Bool {
        guard let found = try text(key) else { return false }
        switch found.text {
        case "true": return true
        case "false": return false
        default:
            throw source.wrong(
                found.place, "'\(key)' is '\(found.text)'; write true, or leave it out")
        }
    }

    private func text(_ node: Node, _ what: String) throws(RigError) -> LocatedText {
        guard let scalar = node.scalar else {
            throw source.wrong(source.place(node), "\(what) has to be a text; put it in quotes")
        }
        // YAML calls it null: nobody writes that to mean an empty text.
        guard !(scalar.string.isEmpty && scalar.style == .plain) else {
            throw source.wrong(
                source.place(node), "\(what) has no value; write one, or \"\" for an empty text")
        }
        return LocatedText(text: scalar.string, place: source.place(node))
    }
}
