import RigModel

/// Rows with the same iteration and kill are a pair if both have the same trigger, planned moment
/// and seed, and two runs are paired if all that both have are, so that it works without a
/// manifest, too.
struct RowPairing {
    let isPaired: Bool
    /// The rows that take part; for pairs equally many of each side, in the same order.
    let base: [IterationRow]
    let other: [IterationRow]

    init(base: [IterationRow], other: [IterationRow]) {
        let partners = Dictionary(
            other.map { ([$0.iteration, $0.kill], $0) }, uniquingKeysWith: { first, _ in first })
        let common = base.compactMap { row in
            partners[[row.iteration, row.kill]].map { (row, $0) }
        }
        isPaired =
            !common.isEmpty
            && common.allSatisfy { first, second in
                first.trigger == second.trigger && first.planned == second.planned
                    && first.seed == second.seed
            }
        let pairs = common.filter { $0.0.isConclusiveKill && $0.1.isConclusiveKill }
        self.base = isPaired ? pairs.map(\.0) : base.filter(\.isConclusiveKill)
        self.other = isPaired ? pairs.map(\.1) : other.filter(\.isConclusiveKill)
    }

    /// The pairs in which both rows know a figure.
    func pairs(where knows: (IterationRow) -> Bool) -> ([IterationRow], [IterationRow]) {
        let known = zip(base, other).filter { knows($0) && knows($1) }
        return (known.map(\.0), known.map(\.1))
    }
}
