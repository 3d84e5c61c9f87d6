package import RigModel

/// A run that is to be compared: its rows, and what else is known of it.
package struct ComparableRun: Sendable, Hashable {
    /// As it was named on the command line.
    package let name: String
    /// Its rows.
    package let rows: [IterationRow]
    /// What its manifest says that rows do not, by names; nil without a manifest.
    package let facts: [Fact]?

    /// Something that is the same for a whole run.
    package struct Fact: Sendable, Hashable {
        /// What it is, such as `video`.
        package let name: String
        /// What it is in this run.
        package let value: String

        /// A fact.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A run.
    package init(name: String, rows: [IterationRow], facts: [Fact]?) {
        self.name = name
        self.rows = rows
        self.facts = facts
    }

    /// The names of its policies in the order of its rows.
    var policies: [String] { Summaries.names(rows) }

    /// Its rows of a policy.
    func rows(of policy: String) -> [IterationRow] { rows.filter { $0.policy == policy } }
}

extension ComparableRun {
    /// What differs in kind between a run and the base, a line each.
    ///
    /// Figures are compared all the same: that may be what is wanted. But nobody shall take a
    /// difference of videos for one of workers.
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
