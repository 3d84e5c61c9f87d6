extension KillPlan {
    /// The same plan once the calls of an uninterrupted run are counted.
    ///
    /// An exhaustive plan has two iterations for each: before it and after it.
    ///
    /// - Parameter points: how many calls, by the policies' names.
    /// - Returns: the plan.
    package func counting(_ points: [String: Int]) -> KillPlan {
        var refinement = refinement ?? Refinement()
        refinement.points = points
        let isExhaustive = refinement.isExhaustive
        return KillPlan(
            seed: seed,
            iterations: isExhaustive ? 2 * (points.values.max() ?? 0) : iterations,
            policies: policies, trigger: trigger, pinned: pinned, videoLength: videoLength,
            refinement: refinement)
    }

    /// True when the moments of this plan are known only after calls have been counted.
    package var needsCalls: Bool { trigger == .syscall && pinned == nil }

    /// False while calls have to be counted before anybody knows the moments of this plan.
    package var hasKnownMoments: Bool { !needsCalls || refinement?.points != nil }

    /// False while calls have to be counted before anybody knows how many kills this plan has.
    package var hasKnownSize: Bool { hasKnownMoments || refinement?.isExhaustive != true }
}
