/// What the kills that landed in one phase show, by themselves.
///
/// Few kills in a phase prove little about it, however many there are in the others: each stratum
/// has a bound of its own.
package struct Stratum: Sendable, Hashable, Codable {
    /// The phase; nil for kills of which it is not known.
    package let phase: Phase?
    /// True when the workload can be in this phase at all.
    package let isInReach: Bool
    /// Conclusive kills in it.
    package let kills: Int
    /// Those among them that broke a promise.
    package let violations: Int
    /// Exact one-sided 95 % upper bound of the stratum's violation rate, 0 to 1; nil without kills.
    package let violationRateUCB95: Double?

    /// A stratum with what was found in it.
    package init(
        phase: Phase?, isInReach: Bool = true, kills: Int = 0, violations: Int = 0,
        violationRateUCB95: Double? = nil
    ) {
        self.phase = phase
        self.isInReach = isInReach
        self.kills = kills
        self.violations = violations
        self.violationRateUCB95 = violationRateUCB95
    }
}

/// How far an exhaustive run has gone through the kill points that were counted for it.
package struct KillPointCoverage: Sendable, Hashable, Codable {
    /// Distinct kill points at which a conclusive kill landed.
    package let hit: Int
    /// Kill points that the uninterrupted run was counted to have.
    package let counted: Int

    /// A coverage.
    package init(hit: Int, counted: Int) {
        self.hit = hit
        self.counted = counted
    }

    /// True when every point was hit.
    package var isComplete: Bool { hit >= counted }
}
