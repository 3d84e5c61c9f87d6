extension KillPlan {
    /// The same plan after the system calls of an uninterrupted run have been counted.
    ///
    /// An exhaustive plan has two iterations per call: before it and after it.
    ///
    /// - Parameter points: the number of calls, by policy name.
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

    /// True when the kill moments of this plan are known only after system calls have been counted.
    package var needsCalls: Bool { trigger == .syscall && pinned == nil }

    /// False while system calls must still be counted to know the kill moments.
    package var hasKnownMoments: Bool { !needsCalls || refinement?.points != nil }

    /// False while system calls must still be counted to know the number of kills.
    package var hasKnownSize: Bool { hasKnownMoments || refinement?.isExhaustive != true }
}
