/// Names with values, shown as a definition list.
struct PageFacts {
    private var facts: [Fields] = []

    /// Adds a fact; a missing value is shown as unknown.
    mutating func add(_ name: String, _ value: String?, isCode: Bool = false) {
        let isKnown = value.map { !$0.isEmpty } ?? false
        facts.append(
            Fields([
                "name": .text(name),
                "value": .text(
                    isKnown ? PageText.clipped(value ?? "", bytes: 4000) : Figure.notKnown),
                "code": .flag(isCode && isKnown),
            ]))
    }

    /// The fields of the template `facts`.
    var list: Fields.Value { .list(facts) }
}
