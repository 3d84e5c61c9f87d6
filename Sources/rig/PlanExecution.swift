internal import RigLab
internal import RigModel
internal import RigReport

/// Carries out what a manifest plans, or what is left of it.
struct PlanExecution {
    let manifest: Manifest
    let video: ReferenceVideo
    let folder: RunFolder
    /// Where the run's folder is going to be, which its texts name.
    let lastingPath: String
    /// The rows that are there already.
    var kept: [IterationRow] = []
    let programs: Programs
    let interruption: Interruption
    let console: Console
    /// Where programs are told of each row; nil when none asked.
    var events: EventStream?
    /// True when it is to be said where the time went.
    var showsTimings = false

    /// Sets the stage, goes through the plan, and leaves nothing behind but the run folder.
    func run() async throws -> Campaign.Outcome {
        // The guardian of a rig that was killed a moment ago may still be at work: it must not take
        // what goes on now for what it has to end.
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
                crew: try stage.crew(manifest, video: video, scratch: scratch),
                folder: folder, manifest: manifest, console: console, events: events,
                lastingPath: lastingPath, timings: timings,
                kept: kept)
            var outcome = await campaign.run()
            await campaign.crew.settle()
            do throws(RigError) {
                try timings?.report(
                    to: folder, runID: manifest.runID, console: console, events: events)
            } catch {
                // The rows are there all the same, and what ended the campaign counts before this.
                if case .complete = outcome.ending {
                    outcome.ending = .failed(error)
                }
            }
            return outcome
        }
    }
}
