/// One kill of a stored run, with all that it takes to carry it out again: `plan.json` in its
/// evidence.
package struct StoredKill: Sendable, Hashable, Codable {
    /// The version of the format that this rig writes.
    package static let schemaVersion = 1

    /// The version of this file's format.
    package private(set) var schema = Self.schemaVersion
    /// The run.
    package let manifest: Manifest
    /// The iteration, as it follows from the run's plan.
    package let planned: PlannedIteration
    /// Which kill of the iteration, from 1.
    package let kill: Int
    /// What it showed.
    package let verdict: Verdict
    /// Why, in one line; empty for a pass.
    package let reason: String
    /// The checkers by which it failed, in the order of ``Checker``; empty when it did not fail.
    package let checkers: [Checker]

    /// A kill of a run.
    package init(
        manifest: Manifest, planned: PlannedIteration, kill: Int, verdict: Verdict, reason: String,
        checkers: Set<Checker>
    ) {
        self.manifest = manifest
        self.planned = planned
        self.kill = kill
        self.verdict = verdict
        self.reason = reason
        self.checkers = Checker.allCases.filter(checkers.contains)
    }

    /// True when the run's plan has this very iteration.
    package var isOfItsPlan: Bool {
        manifest.plan.policies.contains(planned.policy)
            && (1...max(1, manifest.plan.iterations)).contains(planned.iteration)
            && manifest.plan.iteration(planned.iteration, policy: planned.policy) == planned
    }

    /// Where its evidence lies below the run's folder.
    package var evidencePath: String {
        RowIdentity(policy: planned.policy.name, iteration: planned.iteration, kill: kill)
            .evidencePath
    }

    /// The kill in words.
    package var title: String {
        "kill \(kill) of iteration \(planned.iteration) of \(planned.policy.name) in run "
            + manifest.runID
    }
}
