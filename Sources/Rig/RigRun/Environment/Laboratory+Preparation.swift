internal import RigLab
internal import RigModel

extension Laboratory {
    /// The fewest runs that have a median.
    private static let fewestRuns = 3

    /// Measures unharmed workers as far as the kills need it, and at least one: where it fails by
    /// itself, a kill would show nothing, and there is no row.
    func prepare(_ schedule: [PlannedIteration], console: Console) async throws {
        if let first = schedule.first {
            for note in try await tryOut(first) { console.note("rig: \(note)") }
        }
        let policies = schedule.map(\.policy).unique
        for policy in policies where schedule.contains(.phase, policy: policy) {
            console.redraw("counting the phases of uninterrupted runs of \(policy.name)")
            try await countPhases(policy)
        }
        // A worker that fails without a kill proves nothing about kills, so it is run unharmed
        // first.
        let isShown = policies.contains { schedule.contains(.phase, policy: $0) }
        let first = isShown ? nil : policies.first
        for policy in policies
        where holdsWorkerToItsWork || schedule.contains(.time, policy: policy) || policy == first {
            let isTimed = schedule.contains(.time, policy: policy)
            // Few kills need no more runs than kills; every kill's launch is measured as well.
            let kills = schedule.count { $0.policy == policy }
            let runs = min(WorkerKnowledge.latestRuns, max(Self.fewestRuns, kills))
            console.redraw("measuring uninterrupted runs of \(policy.subject)")
            let seconds = try await measureUninterrupted(policy, runs: isTimed ? runs : 1)
            console.detail(
                "rig: \(policy.subject) takes \(MetricUnit.readableSeconds(seconds)) "
                    + (policy.isOfProgram ? "" : "from its first byte to its end ")
                    + "when it is not killed")
        }
    }
}

extension Policy {
    /// What makes calls and takes time, in messages: `512KB`, `the program`.
    var subject: String { isOfProgram ? "the program" : name }
}

extension [PlannedIteration] {
    /// Whether a policy has a kill by this trigger; phases count only for a first kill.
    fileprivate func contains(_ kind: TriggerKind, policy: Policy) -> Bool {
        contains { planned in
            let kills = kind == .phase ? [planned.first] : planned.kills
            return planned.policy == policy && kills.contains { $0.trigger.kind == kind }
        }
    }
}
