internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// Concludes a run after its campaign: writes its documents and prints its results.
struct RunConclusion {
    let folder: RunFolder
    let manifest: Manifest
    let gates: [Gate]
    /// What gates compare with, read at the start; nil for what the manifest names.
    var baseline: GateBaseline?
    let json: Bool
    let started: ContinuousClock.Instant
    let console: Console
    /// Receives the run's events for programs; nil when programs get at most one document.
    var events: Console?

    /// Writes and prints the results, then throws the error that ended the campaign, if one did.
    func conclude(_ progress: Campaign.Progress) throws -> ExitStatus {
        let ending = progress.ending.early
        let summary = try RunSummary(
            manifest: manifest, rows: progress.rows, gates: gates, ending: ending?.status,
            endingReason: progress.ending.reason, baseline: baseline)
        let documents = RunDocuments(manifest: manifest, rows: progress.rows, summary: summary)
        try documents.write(to: folder)
        let elapsed = (ContinuousClock.now - started).seconds
        if let events {
            for event in RunEvents.conclusion(summary) { events.result(event) }
        } else if !(progress.rows.isEmpty && progress.ending.reason != nil) {
            // Where nothing could be started, there is nothing to say but the error.
            console.result(documents.named(folder.shortPath), json: json, elapsed: elapsed)
        }
        if let timings = progress.timings { console.result(timings) }
        documents.publish(folder: folder.path, console: console)
        let what = manifest.plan.sparesWorkers ? "iterations without a kill" : "kills"
        let count = "\(progress.rows.count) \(what) in \(MetricUnit.readableSeconds(elapsed))"
        let note = "rig: \(count), rows in \(folder.path)/iterations.csv"
        // People have read it in the verdict. Of a refused command there are none.
        if json, !progress.rows.isEmpty { console.note(note) } else { console.detail(note) }
        if case .failed(let error) = progress.ending { throw error }
        return summary.status
    }
}
