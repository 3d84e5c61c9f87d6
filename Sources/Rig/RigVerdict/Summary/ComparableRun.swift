package import RigModel

/// A run to compare: its rows, and what else is known about it.
package struct ComparableRun: Sendable, Hashable {
    package let name: String
    package let rows: [IterationRow]
    /// What only its manifest says, by name; nil without a manifest.
    package let facts: [Fact]?

    package struct Fact: Sendable, Hashable {
        /// The property's name, such as `video`.
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package init(name: String, rows: [IterationRow], facts: [Fact]?) {
        (self.name, self.rows, self.facts) = (name, rows, facts)
    }

    var policies: [String] { Summaries.names(rows) }

    func rows(of policy: String) -> [IterationRow] { rows.filter { $0.policy == policy } }
}

extension ComparableRun {
    /// What differs in kind from the base, which is no difference of workers, one line each.
    func differences(from base: ComparableRun) -> [String] {
        var lines: [String] = []
        for (mine, theirs) in zip(rowFacts, base.rowFacts) where mine.value != theirs.value {
            lines.append("differs: \(mine.name) \(theirs.value) / \(mine.value)")
        }
        if let facts, let known = base.facts {
            let values = Dictionary(
                known.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            for fact in facts {
                guard let theirs = values[fact.name], theirs != fact.value else { continue }
                lines.append("differs: \(fact.name) \(theirs) / \(fact.value)")
            }
        }
        return lines
    }

    private var rowFacts: [Fact] {
        let columns: [(String, (IterationRow) -> String)] = [
            ("worker", \.worker), ("workload", \.workload), ("fault", \.fault),
            ("trigger", \.trigger),
        ]
        return columns.map { name, value in
            Fact(name: name, value: Set(rows.map(value)).sorted().joined(separator: "|"))
        }
    }
}
