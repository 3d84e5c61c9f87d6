internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// What becomes of a run whose campaign has ended: its documents, and what is said of it.
struct RunConclusion {
    let folder: RunFolder
    let manifest: Manifest
    let gates: [Gate]
    let json: Bool
    let started: ContinuousClock.Instant
    let console: Console

    /// Writes what the rows show, and says it.
    ///
    /// - Returns: the run's status.
    /// - Throws: what made the campaign fail, once its rows are written up.
    func conclude(_ outcome: Campaign.Outcome) throws -> ExitStatus {
        let ending = outcome.ending.early
        let summary = try RunSummary(
            manifest: manifest, rows: outcome.rows, gates: gates, ending: ending?.status,
            endingReason: outcome.ending.reason)
        try RunDocuments(manifest: manifest, rows: outcome.rows, summary: summary).write(to: folder)
        console.result(
            json
                ? SummaryJSON.text(summary)
                : TerminalTable.text(summary, color: console.usesColor))
        let elapsed = (ContinuousClock.now - started).seconds
        let what = manifest.plan.sparesWorkers ? "iterations without a kill" : "kills"
        console.note(
            "rig: \(outcome.rows.count) \(what) in \(MetricUnit.readableSeconds(elapsed)), "
                + "rows in \(folder.path)/iterations.csv")
        if case .failed(let error) = outcome.ending { throw error }
        return summary.status
    }
}
