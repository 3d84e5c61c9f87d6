internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// What becomes of a run whose campaign has ended: its documents, and what is said of it.
struct RunConclusion {
    let folder: RunFolder
    let manifest: Manifest
    let gates: [Gate]
    /// What gates compare with, as it was when the run began; nil for what the manifest names.
    var baseline: GateBaseline?
    let json: Bool
    let started: ContinuousClock.Instant
    let console: Console
    /// Where programs are told of the run as it goes on; nil where they get one document at most.
    var events: EventStream?
    /// The file for its figures as OpenMetrics; nil for none.
    var metrics: String?

    /// Writes what the rows show, and says it.
    ///
    /// - Returns: the run's status.
    /// - Throws: what made the campaign fail, once its rows are written up.
    func conclude(_ outcome: Campaign.Outcome) throws -> ExitStatus {
        let ending = outcome.ending.early
        let summary = try RunSummary(
            manifest: manifest, rows: outcome.rows, gates: gates, ending: ending?.status,
            endingReason: outcome.ending.reason, baseline: baseline)
        let documents = RunDocuments(manifest: manifest, rows: outcome.rows, summary: summary)
        try documents.write(to: folder)
        if let events {
            for event in RunEvents.conclusion(summary) { events.send(event) }
        } else {
            console.result(summary, json: json)
        }
        try documents.publish(metrics: metrics, folder: folder.path, console: console)
        let elapsed = (ContinuousClock.now - started).seconds
        let what = manifest.plan.sparesWorkers ? "iterations without a kill" : "kills"
        console.note(
            "rig: \(outcome.rows.count) \(what) in \(MetricUnit.readableSeconds(elapsed)), "
                + "rows in \(folder.path)/iterations.csv")
        if case .failed(let error) = outcome.ending { throw error }
        return summary.status
    }
}
