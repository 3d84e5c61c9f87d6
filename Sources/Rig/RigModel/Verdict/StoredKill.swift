/// One kill of a stored run, with everything needed to repeat it: `plan.json` in its evidence.
package struct StoredKill: Sendable, Hashable, Codable {
    /// The version of the format that this rig writes.
    package static let schemaVersion = 1

    package private(set) var schema = Self.schemaVersion
    package let manifest: Manifest
    package let planned: PlannedIteration
    package let kill: Int
    package let verdict: Verdict
    /// Why, in one line; empty for a pass.
    package let reason: String
    /// The checkers that failed it, in the order of ``Checker``; empty unless it failed.
    package let checkers: [Checker]

    package init(
        manifest: Manifest, planned: PlannedIteration, kill: Int, verdict: Verdict, reason: String,
        checkers: Set<Checker>
    ) {
        (self.manifest, self.planned, self.kill) = (manifest, planned, kill)
        (self.verdict, self.reason) = (verdict, reason)
        self.checkers = Checker.allCases.filter(checkers.contains)
    }

    /// True when the run's plan contains exactly this iteration.
    package var isOfItsPlan: Bool {
        manifest.plan.policies.contains(planned.policy)
            && (1...max(1, manifest.plan.iterations)).contains(planned.iteration)
            && manifest.plan.iteration(planned.iteration, policy: planned.policy) == planned
    }

    package var identity: RowIdentity {
        RowIdentity(policy: planned.policy.name, iteration: planned.iteration, kill: kill)
    }

    /// The path of its evidence, relative to the run's folder.
    package var evidencePath: String { identity.evidencePath }

    package var title: String { "\(identity) in run \(manifest.runID)" }
}

/// What is stored of one kill besides its row, for a report on that single kill.
package struct KillDetails: Sendable, Hashable {
    /// The last lines of the worker's log; nil when no log was stored.
    package let workerLog: String?
    /// What was observed of the relaunch; nil when it was not stored, or there was none.
    package let resumption: Resumption?

    package init(workerLog: String?, resumption: Resumption?) {
        (self.workerLog, self.resumption) = (workerLog, resumption)
    }
}
