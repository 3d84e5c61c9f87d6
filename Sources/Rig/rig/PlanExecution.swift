internal import RigLab
internal import RigModel
internal import RigReport

/// Executes what a manifest plans, or the rest of it.
struct PlanExecution {
    let manifest: Manifest
    let video: ReferenceVideo
    let folder: RunFolder
    /// The final path of the run's folder, which its texts name.
    let lastingPath: String
    /// The rows that are already present.
    var kept: [IterationRow] = []
    let programs: Programs
    let interruption: Interruption
    let console: Console
    /// Receives each row as an event for programs; nil unless requested.
    var events: EventStream?
    /// True when the timings are to be reported.
    var showsTimings = false

    /// Prepares the run, executes the plan, and leaves nothing behind but the run folder.
    func run() async throws -> Campaign.Outcome {
        // After a resume, the guardian of a rig killed a moment ago may still be running: with the
        // same mark it would end the new processes too.
        let times = manifest.resumed?.count ?? 0
        let name = RunFolder.scratchPrefix + (times == 0 ? "" : "-\(times + 1)")
        let scratch = try folder.makeScratch(name)
        defer { folder.removeScratch(name) }
        let timings = showsTimings ? TimingsLog() : nil
        return try await RunStage.with(
            manifest, mark: manifest.runID + (times == 0 ? "" : "-\(times + 1)"),
            programs: programs,
            port: manifest.port ?? 0, jobs: manifest.currentJobs, scratch: scratch,
            interruption: interruption, console: console
        ) { stage in
            let campaign = Campaign(
                pool: try stage.pool(manifest, video: video, scratch: scratch),
                folder: folder, manifest: manifest, console: console, events: events,
                lastingPath: lastingPath, timings: timings,
                kept: kept)
            var outcome = await campaign.run()
            await campaign.pool.settle()
            do throws(RigError) {
                try timings?.report(
                    to: folder, runID: manifest.runID, console: console, events: events)
            } catch {
                // The rows are present nevertheless, and an earlier error takes precedence.
                if case .complete = outcome.ending {
                    outcome.ending = .failed(error)
                }
            }
            return outcome
        }
    }
}
