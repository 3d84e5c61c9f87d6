/// Names with values, shown as a definition list.
struct PageFacts {
    private(set) var list: [Fields] = []

    /// Adds a fact; a missing value is shown as unknown.
    mutating func add(_ name: String, _ value: String?, isCode: Bool = false) {
        let known = value.flatMap { $0.isEmpty ? nil : PageText.clipped($0, bytes: 4000) }
        list.append(
            Fields([
                "name": name, "value": known ?? Figure.notKnown, "code": isCode && known != nil,
            ]))
    }

    /// Adds a fact of this name for each of the values, in the order of their names.
    mutating func add(_ name: String, each values: [String: String]?, by separator: String = "=") {
        for (key, value) in (values ?? [:]).sorted(by: { $0.key < $1.key }) {
            add(name, "\(key)\(separator)\(value)", isCode: true)
        }
    }
}
