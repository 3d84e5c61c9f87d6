package import RigModel

package struct ComparableRun: Sendable, Hashable {
    package let name: String
    package let rows: [IterationRow]
    /// What only its manifest says, by name; nil without a manifest.
    package let facts: [Fact]?

    package typealias Fact = HistoryJob.Fact

    package init(name: String, rows: [IterationRow], facts: [Fact]?) {
        (self.name, self.rows, self.facts) = (name, rows, facts)
    }

    var policies: [String] { Summaries.names(rows) }

    func rows(of policy: String) -> [IterationRow] { rows.filter { $0.policy == policy } }

    /// What differs in kind from the base, which is no difference of workers, one line each.
    func differences(from base: ComparableRun) -> [String] {
        let known = Dictionary(
            (base.rowFacts + (base.facts ?? [])).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        return (rowFacts + (facts ?? [])).compactMap { fact in
            guard let theirs = known[fact.name], theirs != fact.value else { return nil }
            return "differs: \(fact.name) \(theirs) / \(fact.value)"
        }
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
