/// The origin of a run's figures: the programs that ran, and the sources of the rig.
package struct Provenance: Sendable, Hashable, Codable {
    /// The state of the checkout that the rig was built in, when the run began.
    package enum Tree: String, Sendable, Codable {
        /// Identical to the commit; files below `results` are ignored.
        case clean
        /// Files were changed, added or removed.
        case changed
        case unknown
    }

    /// The value for a commit or a digest that could not be determined.
    package static let unknown = "unknown"

    /// The commit that the rig was built from, as 40 hexadecimal digits, or `unknown`.
    package let commit: String
    package let tree: Tree
    package let note: String?
    /// The digest (`xxh128:` and hexadecimal, or `unknown`) of `rig`, the worker's programs, and
    /// files that the worker's command names, by name.
    package let programs: [String: String]

    package init(commit: String, tree: Tree, note: String? = nil, programs: [String: String]) {
        (self.commit, self.tree, self.note, self.programs) = (commit, tree, note, programs)
    }

    /// The commit as text, with a note when the tree was not clean.
    package var words: String {
        guard commit != Self.unknown else { return "not known: \(note ?? "not said")" }
        return tree == .clean ? commit : "\(commit), and changed files"
    }

    /// The programs with another digest now, or an unknown one then or now, sorted by name.
    package func changedPrograms(
        _ now: [String: String]
    ) -> [(name: String, then: String, now: String)] {
        Set(programs.keys).union(now.keys).sorted().compactMap { name in
            let then = programs[name] ?? Self.unknown
            let now = now[name] ?? Self.unknown
            return then == now && then != Self.unknown ? nil : (name, then, now)
        }
    }

    /// The provenance of a run's parts: what all agree on, else `unknown`; nil if none has any.
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
