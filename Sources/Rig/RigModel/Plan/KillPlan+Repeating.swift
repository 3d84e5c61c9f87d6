extension KillPlan {
    /// A plan that repeats an iteration of this plan first, with its moment pinned.
    ///
    /// The new seed gives the first iteration the seed of the planned one, which determines
    /// everything else that was drawn: the wait before the kill, a player's pattern, the later
    /// kills. The one exception is a pinned phase: at which entry of the phase the kill lands is
    /// drawn differently. Iterations after the first have their own seeds.
    package func repeating(_ planned: PlannedIteration, iterations: Int = 1) -> KillPlan {
        var refinement = Refinement()
        refinement.kills = planned.kills.count
        refinement.lacksPhases = self.refinement?.lacksPhases
        refinement.hasKillsInFlow = self.refinement?.hasKillsInFlow
        refinement.hasRoomInChains = self.refinement?.hasRoomInChains
        refinement.aimsAtRecoveries = self.refinement?.aimsAtRecoveries
        refinement.lacksBytes = self.refinement?.lacksBytes
        return KillPlan(
            seed: seed ^ Self.spread(planned.iteration) ^ Self.spread(1), iterations: iterations,
            policies: [planned.policy], trigger: planned.first.trigger.kind,
            pinned: planned.first.trigger, videoLength: videoLength, refinement: refinement)
    }

    /// The part of a seed that differs between iterations.
    static func spread(_ index: Int) -> UInt64 { UInt64(index) &* 0xD1B5_4A32_D192_ED03 }
}
