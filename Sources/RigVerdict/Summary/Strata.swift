package import RigModel

/// Rows in, one stratum per phase out.
package enum Strata {
    /// Sorts conclusive rows by the phase that the worker died in.
    ///
    /// - Parameters:
    ///   - rows: rows, among them inconclusive ones and those of workers that were spared, which
    ///     count for nothing.
    ///   - reach: the phases that the workload can be in.
    /// - Returns: one stratum per phase, in the order of a life, also for those never hit; last,
    ///   where there are any, the rows that do not know their phase.
    package static func of(
        _ rows: [IterationRow], reach: [Phase] = Phase.allCases
    ) -> [Stratum] {
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
            // Where a kill has landed, the worker has been, whatever was thought of its workload.
            phase: phase, isInReach: isInReach || !rows.isEmpty, kills: rows.count,
            violations: violations,
            violationRateUCB95: Binomial.upperBound(
                events: violations, trials: rows.count(where: \.isDecided)))
    }
}
