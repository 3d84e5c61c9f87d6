package import RigModel
package import Yams

/// A mapping of a YAML file, read strictly: an unknown key is an error.
package struct YAMLFields {
    package let source: YAMLText
    package let place: Place
    private let values: [String: Node]
    private let keyPlaces: [String: Place]

    /// Reads a mapping; exit code 64 if it is none, or has keys that are not known.
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
                    source.place(key), "\(what) has no key '\(name)'; \(name.advice(among: known))")
            }
            values[name] = value
            keyPlaces[name] = source.place(key)
        }
        (self.values, self.keyPlaces) = (values, keyPlaces)
    }

    package var keys: [String] { values.keys.sorted() }
    package func node(_ key: String) -> Node? { values[key] }

    /// Where a key begins; for an absent key, where the mapping begins.
    package func place(of key: String) -> Place { keyPlaces[key] ?? place }

    package func missing(_ key: String, _ toDo: String) -> RigError {
        source.wrong(place, "'\(key)' is missing; \(toDo)")
    }

    package func text(_ key: String) throws(RigError) -> LocatedText? {
        guard let node = values[key] else { return nil }
        return try text(node, "'\(key)'")
    }

    package func text(_ key: String, orElse toDo: String) throws(RigError) -> LocatedText {
        guard let found = try text(key) else { throw missing(key, toDo) }
        return found
    }

    /// A list of texts, of at least one unless it may be empty; nil if the key is absent.
    package func texts(_ key: String, mayBeEmpty: Bool = false) throws(RigError) -> [LocatedText]? {
        guard let node = values[key] else { return nil }
        guard let sequence = node.sequence else {
            throw source.wrong(source.place(node), "'\(key)' has to be a list; write [one, two]")
        }
        guard mayBeEmpty || !sequence.isEmpty else {
            throw source.wrong(source.place(node), "'\(key)' is empty; leave it out, or fill it")
        }
        return try items(sequence, of: key)
    }

    private func items(
        _ sequence: Node.Sequence, of key: String
    ) throws(RigError) -> [LocatedText] {
        try sequence.map { item throws(RigError) in try text(item, "an item of '\(key)'") }
    }

    /// A single text, or a list of texts, which may be empty; nil if the key is absent.
    package func oneOrMoreTexts(_ key: String) throws(RigError) -> [LocatedText]? {
        guard let node = values[key] else { return nil }
        guard let sequence = node.sequence else { return [try text(node, "'\(key)'")] }
        return try items(sequence, of: key)
    }

    package func hasFields(_ key: String) -> Bool { values[key]?.mapping != nil }

    package func texts(_ key: String, orElse toDo: String) throws(RigError) -> [LocatedText] {
        guard let found = try texts(key) else { throw missing(key, toDo) }
        return found
    }

    /// A mapping of arbitrary keys to texts; empty if the key is absent.
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

    package func fields(_ key: String, known: [String]?) throws(RigError) -> YAMLFields? {
        guard let node = values[key] else { return nil }
        return try YAMLFields(node, "'\(key)'", known: known, in: source)
    }

    /// `true` or `false`; false if the key is absent.
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
        // YAML reads an absent value as null, which is never meant as an empty text.
        guard !(scalar.string.isEmpty && scalar.style == .plain) else {
            throw source.wrong(
                source.place(node), "\(what) has no value; write one, or \"\" for an empty text")
        }
        return LocatedText(text: scalar.string, place: source.place(node))
    }
}
