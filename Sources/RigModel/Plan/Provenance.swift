/// Where a run's figures come from: the programs that ran, and the sources of the rig.
package struct Provenance: Sendable, Hashable, Codable {
    /// What the checkout was like that the rig was built in, when the run began.
    package enum Tree: String, Sendable, Codable {
        /// As the commit has it; what lies below `results` does not count.
        case clean
        /// Files were changed, added or removed.
        case changed
        /// No statement.
        case unknown
    }

    /// What stands in place of a commit or a digest that could not be found out.
    package static let unknown = "unknown"

    /// The commit that the rig was built from, 40 hexadecimal digits, or `unknown`.
    package let commit: String
    /// Whether the sources were the commit's.
    package let tree: Tree
    /// Why the commit is not known; nil where it is.
    package let note: String?
    /// The digest of each program by its name.
    ///
    /// `rig`, the worker's programs, and files that the worker's command names, such as a script:
    /// `xxh128:` and the XXH3-128 in hexadecimal, or `unknown`.
    package let programs: [String: String]

    /// Where figures come from.
    package init(commit: String, tree: Tree, note: String? = nil, programs: [String: String]) {
        self.commit = commit
        self.tree = tree
        self.note = note
        self.programs = programs
    }

    /// The commit in words, with what is to be known of the tree.
    package var words: String {
        guard commit != Self.unknown else { return "not known: \(note ?? "not said")" }
        return tree == .clean ? commit : "\(commit), and changed files"
    }

    /// The programs that are others now, or were not known then or now, by their names in order.
    ///
    /// - Parameter now: the programs that are there now.
    /// - Returns: a name, and the digest then and now; a program without a digest has `unknown`.
    package func changedPrograms(
        _ now: [String: String]
    ) -> [(name: String, then: String, now: String)] {
        Set(programs.keys).union(now.keys).sorted().compactMap { name in
            let then = programs[name] ?? Self.unknown
            let now = now[name] ?? Self.unknown
            return then == now && then != Self.unknown ? nil : (name, then, now)
        }
    }

    /// What is common to several parts of a run.
    ///
    /// - Parameter all: of each part; nil of one from before it was kept.
    /// - Returns: what they agree in, `unknown` where they do not; nil where none has any.
    package static func joined(_ all: [Provenance?]) -> Provenance? {
        guard let first = all.compactMap(\.self).first else { return nil }
        if all.allSatisfy({ $0 == first }) { return first }
        func common<Value: Hashable>(_ value: (Provenance) -> Value) -> Value? {
            let values = Set(all.map { $0.map(value) })
            return values.count == 1 ? value(first) : nil
        }
        let names = Set(all.flatMap { $0?.programs.keys.map(\.self) ?? [] })
        return Provenance(
            commit: common(\.commit) ?? unknown, tree: common(\.tree) ?? .unknown,
            note: common(\.commit) == nil
                ? "the parts are not of one commit" : common(\.note) ?? nil,
            programs: Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, common { $0.programs[name] ?? unknown } ?? unknown)
                }))
    }
}
