package import RigModel

package struct FoundPart: Sendable, Hashable {
    /// Its folder, as named by the user.
    package let name: String
    package let partition: RunPartition
    package let manifest: Manifest
    package let rows: [IterationRow]
    /// The exact bytes of its manifest and rows, which identify copies of one part.
    package let contents: [String]

    /// Creates a part; nil for a run that is not a part.
    package init?(name: String, manifest: Manifest, rows: [IterationRow], contents: [String]) {
        guard let partition = manifest.partition else { return nil }
        (self.name, self.partition, self.manifest, self.rows) = (name, partition, manifest, rows)
        self.contents = contents
    }
}

/// Joins parts to their run: contradictory ones are refused, and copies must be identical.
package struct PartsJoin: Sendable {
    /// The parts that are used, in the order of the plan's parts.
    package let parts: [FoundPart]
    package let manifest: Manifest
    /// The rows of all parts, in the plan's order.
    package let rows: [IterationRow]

    /// Exit code 65, naming both parts, for different runs, rows or numbers, or one part twice.
    package init(_ found: [FoundPart], expected: Int?) throws(RigError) {
        let sorted = found.sorted { ($0.partition.index, $0.name) < ($1.partition.index, $1.name) }
        guard let first = sorted.first else {
            throw RigError(.incomplete, "there is no part to merge; run one with --partition")
        }
        try Self.check(sorted, expected: expected)
        for part in sorted { try Self.checkRows(of: part) }
        let groups = Dictionary(grouping: sorted, by: \.partition.index)
        var used: [FoundPart] = []
        var copies: [Int: Int] = [:]
        for part in sorted where used.last?.partition != part.partition {
            let others = (groups[part.partition.index] ?? []).filter { $0 != part }
            if let other = others.first(where: { $0.contents != part.contents }) {
                throw RigError.data(
                    "\(part.name) and \(other.name) are two runs of \(part.partition.words) that "
                        + "differ; remove one of them")
            }
            copies[part.partition.index] = others.count
            used.append(part)
        }
        parts = used
        manifest = .merged(used, like: first.manifest, copies: copies)
        rows = Self.inOrder(used.flatMap(\.rows), of: first.manifest.plan)
    }

    private static func check(_ parts: [FoundPart], expected: Int?) throws(RigError) {
        let first = parts[0]
        for part in parts.dropFirst() {
            guard part.partition.count == first.partition.count else {
                throw RigError.data(
                    "\(first.name) is one of \(first.partition.count) parts and \(part.name) one of "
                        + "\(part.partition.count); merge the parts of one run only")
            }
            if let contradiction = PartContradiction(first.manifest, part.manifest) {
                throw RigError.data(
                    "\(first.name) and \(part.name) are parts of different runs: "
                        + "\(contradiction.words); merge the parts of one run only")
            }
        }
        if let expected, expected != first.partition.count {
            throw RigError.data(
                "\(first.name) is one of \(first.partition.count) parts, and --expect says "
                    + "\(expected); correct --expect, or name the folder of the other run")
        }
    }

    private static func checkRows(of part: FoundPart) throws(RigError) {
        do {
            try PlanCheck.check(part.rows, against: part.manifest)
        } catch {
            throw RigError(error.status, "\(part.name)/\(error.message)")
        }
    }

    /// The rows in the order in which an unpartitioned run would have written them.
    private static func inOrder(_ rows: [IterationRow], of plan: KillPlan) -> [IterationRow] {
        var places: [String: Int] = [:]
        for (place, policy) in plan.policies.enumerated() { places[policy.name] = place }
        func key(_ row: IterationRow) -> (Int, Int, Int) {
            (row.iteration, places[row.policy] ?? places.count, row.kill)
        }
        return rows.sorted { key($0) < key($1) }
    }
}
