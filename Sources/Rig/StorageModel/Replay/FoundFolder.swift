/// A folder as a real power cut has left it.
package struct FoundFolder: Sendable {
    package enum Item: Sendable, Hashable {
        case folder
        case link(target: String)
        case file(size: Int64)
    }

    let items: [String: Item]
    let contents: [String: SparseBytes]

    package init(items: [String: Item], contents: [String: SparseBytes]) {
        (self.items, self.contents) = (items, contents)
    }

    /// The first name, in order, that is not as in a tree; nil if all are.
    func difference(from names: NameTree) -> String? {
        let paths = Set(items.keys).union(names.nodes.keys)
        return paths.sorted().first { path in
            switch (items[path], names.nodes[path]) {
            case (.folder, .folder), (.file, .file): false
            case (.link(let target), .symbolicLink(let other)): target != other
            default: true
            }
        }
    }
}
