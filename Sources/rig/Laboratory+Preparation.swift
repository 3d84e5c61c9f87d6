internal import RigLab
internal import RigModel

extension Laboratory {
    /// Finds out what the kills of some iterations need to know of a worker that nobody harms: how
    /// long it takes, for kills by the clock, and how often it is in each phase, for kills in one.
    ///
    /// - Parameters:
    ///   - schedule: the iterations.
    ///   - runs: how many uninterrupted runs are timed.
    ///   - console: where it is said what goes on.
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work;
    ///   ``Interrupted``.
    func prepare(
        _ schedule: [PlannedIteration], runs: Int = WorkerKnowledge.latestRuns, console: Console
    ) async throws {
        var seen: Set<Policy> = []
        let policies = schedule.map(\.policy).filter { seen.insert($0).inserted }
        for policy in policies where schedule.contains(.phase, policy: policy) {
            console.redraw("counting the phases of uninterrupted runs of \(policy.name)")
            try await countPhases(policy)
        }
        // Whatever a kill seems to do to a worker that does not do its work: it proves nothing.
        for policy in policies
        where holdsWorkerToItsWork || schedule.contains(.time, policy: policy) {
            let isTimed = schedule.contains(.time, policy: policy)
            console.redraw("measuring uninterrupted runs of \(policy.name)")
            let seconds = try await measureUninterrupted(policy, runs: isTimed ? runs : 1)
            console.detail(
                "rig: \(policy.name) takes \(MetricUnit.readableSeconds(seconds)) from its first "
                    + "byte to its end when nobody harms it")
        }
    }
}

extension [PlannedIteration] {
    /// Whether a policy has a kill by this trigger: of phases, as the first one of an iteration.
    fileprivate func contains(_ kind: TriggerKind, policy: Policy) -> Bool {
        contains { planned in
            let kills = kind == .phase ? [planned.first] : planned.kills
            return planned.policy == policy && kills.contains { $0.trigger.kind == kind }
        }
    }
}
