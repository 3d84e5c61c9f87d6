package import RigModel

/// A run with everything that its page shows.
package struct ReportedRun: Sendable {
    /// What the run was.
    package let manifest: Manifest
    /// Its rows.
    package let rows: [IterationRow]
    /// What they show.
    package let summary: RunSummary
    /// The run's folder, as it is named on a command line.
    package let folder: String
    /// What is kept of the kills that the page shows one by one (``ReportPage/detailed(_:)``).
    package let details: [RowIdentity: KillDetails]

    /// True when nobody was killed: there is no loss, no recovery and no moment of a kill to show.
    var sparesWorkers: Bool { manifest.plan.sparesWorkers }

    /// A run.
    package init(
        manifest: Manifest, rows: [IterationRow], summary: RunSummary, folder: String,
        details: [RowIdentity: KillDetails] = [:]
    ) {
        self.manifest = manifest
        self.rows = rows
        self.summary = summary
        self.folder = folder
        self.details = details
    }
}
