/// The kills that landed in one phase: few prove little, however many are in the others.
package struct Stratum: Sendable, Hashable, Codable {
    /// The phase; nil for kills in an unknown phase.
    package let phase: Phase?
    /// True when the workload can reach this phase at all.
    package let isInReach: Bool
    package let kills: Int
    package let violations: Int
    /// Exact one-sided 95 % upper bound of the stratum's violation rate, 0 to 1; nil without kills.
    package let violationRateUCB95: Double?

    package init(
        phase: Phase?, isInReach: Bool = true, kills: Int = 0, violations: Int = 0,
        violationRateUCB95: Double? = nil
    ) {
        (self.phase, self.isInReach, self.kills) = (phase, isInReach, kills)
        (self.violations, self.violationRateUCB95) = (violations, violationRateUCB95)
    }
}

/// How many of the counted kill points an exhaustive run has covered.
package struct KillPointCoverage: Sendable, Hashable, Codable {
    /// Distinct kill points at which a conclusive kill landed.
    package let hit: Int
    package let counted: Int

    package init(hit: Int, counted: Int) { (self.hit, self.counted) = (hit, counted) }
    package var isComplete: Bool { hit >= counted }
}
