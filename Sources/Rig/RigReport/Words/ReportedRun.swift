package import RigModel

/// A run with all data for its page.
package struct ReportedRun: Sendable {
    package let manifest: Manifest
    package let rows: [IterationRow]
    package let summary: RunSummary
    /// The run's folder, as named in commands.
    package let folder: String
    /// The stored details of the kills shown in detail (``ReportPage/detailed(_:)``).
    package let details: [RowIdentity: KillDetails]
    /// What was not synced at each modelled power cut.
    package var unsynced: [[UnsyncedFileFacts]] = []

    /// True for a run without kills, which has no loss, recovery or kill moments to show.
    var sparesWorkers: Bool { manifest.plan.sparesWorkers }

    /// False for a program that downloads nothing, which has neither policies nor losses.
    var hasBytes: Bool { manifest.workload.hasBytes }

    package init(
        manifest: Manifest, rows: [IterationRow], summary: RunSummary, folder: String,
        details: [RowIdentity: KillDetails] = [:]
    ) {
        (self.manifest, self.rows, self.summary) = (manifest, rows, summary)
        (self.folder, self.details) = (folder, details)
    }
}
