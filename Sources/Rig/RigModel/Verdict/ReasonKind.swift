/// Sorts reasons by their kind: those of one kind differ only in their numbers.
package enum ReasonKind {
    /// The kind of a reason: its text without numbers, sizes and places.
    package static func of(_ reason: String) -> String {
        let sizes = reason.replacing(/[0-9]+(\.[0-9]+)?( (B|KB|MB|GB)\b| bytes?\b)?/) {
            $0.output.2 == nil ? "#" : "# bytes"
        }
        return sizes.replacing(/#\.\.<#(, #\.\.<#)*( and # more)?/, with: "#")
    }

    /// The first of the most frequent kind, and how many are alike; of several the first.
    package static func mostFrequent<Item>(
        of items: [Item], by reason: (Item) -> String
    ) -> (example: Item, count: Int)? {
        let kinds = items.map { of(reason($0)) }
        let counts = Dictionary(grouping: kinds, by: \.self).mapValues(\.count)
        guard let most = counts.values.max(),
            let first = kinds.firstIndex(where: { counts[$0] == most })
        else { return nil }
        return (items[first], most)
    }
}
