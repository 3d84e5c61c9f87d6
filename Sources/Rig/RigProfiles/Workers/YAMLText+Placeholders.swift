internal import RigModel

extension YAMLText {
    /// Rejects a placeholder that is not known in a text, with exit code 64.
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
