package import RigModel

extension KillPointCoverage {
    /// How many of the kill points that were counted the rows of an exhaustive run have hit.
    ///
    /// A point is a call and a side of it. Only rows that prove something count.
    ///
    /// - Parameters:
    ///   - rows: the run's rows.
    ///   - plan: its plan; for one that is not exhaustive there is no coverage.
    package init?(_ rows: [IterationRow], of plan: KillPlan) {
        guard let refinement = plan.refinement, refinement.isExhaustive,
            let points = refinement.points
        else { return nil }
        let moments = rows.filter { $0.isConclusive && $0.kill == 1 }.map { row in
            "\(row.policy) \(row.planned)"
        }
        self.init(hit: Set(moments).count, counted: 2 * points.values.reduce(0, +))
    }
}
