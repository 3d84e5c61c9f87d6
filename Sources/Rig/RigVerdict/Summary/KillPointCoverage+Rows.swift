package import RigModel

extension KillPointCoverage {
    /// How many of its kill points an exhaustive run has hit conclusively; nil for another plan.
    package init?(of plan: KillPlan, rows: [IterationRow]) {
        guard let refinement = plan.refinement, refinement.isExhaustive,
            let points = refinement.points
        else { return nil }
        let hit = Set(
            rows.filter { $0.isConclusive && $0.kill == 1 }.map { "\($0.policy) \($0.planned)" })
        let sides = refinement.hasOneSide == true ? 1 : 2
        self.init(hit: hit.count, counted: sides * points.values.reduce(0, +))
    }
}
