package import RigModel

package enum Strata {
    /// Conclusive kills per phase, in the order of a life, also without any; an unknown phase last.
    package static func of(_ rows: [IterationRow], reach: [Phase] = Phase.allCases) -> [Stratum] {
        let groups = Dictionary(grouping: rows.filter(\.isConclusiveKill), by: \.phase)
        let known = Phase.allCases.map { phase in
            stratum(phase, groups[phase] ?? [], isInReach: reach.contains(phase))
        }
        guard let unknown = groups[nil] else { return known }
        return known + [stratum(nil, unknown, isInReach: true)]
    }

    private static func stratum(
        _ phase: Phase?, _ rows: [IterationRow], isInReach: Bool
    ) -> Stratum {
        let violations = rows.count(where: \.isViolation)
        return Stratum(
            // A phase in which a kill landed is in reach, whatever the workload predicts.
            phase: phase, isInReach: isInReach || !rows.isEmpty, kills: rows.count,
            violations: violations,
            violationRateUCB95: Binomial.upperBound(
                events: violations, trials: rows.count(where: \.isDecided)))
    }
}

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
