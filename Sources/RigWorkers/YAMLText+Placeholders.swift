internal import LocatedYAML
internal import RigModel

extension YAMLText {
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
}
