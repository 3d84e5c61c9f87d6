internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// Where the time of a run's iterations goes, for `--timings`.
final class TimingsLog {
    private let began = ContinuousClock.now
    private let before = ProcessorTime.now
    private var stopwatches: [IterationStopwatch] = []

    /// Notes an iteration whose row has been written, in the plan's order.
    ///
    /// Its stopwatch is read only when the run is over: its files may be removed until then.
    func note(_ stopwatch: IterationStopwatch) { stopwatches.append(stopwatch) }

    /// Writes `timings.csv`, and says what is in it.
    ///
    /// - Parameters:
    ///   - folder: the run's.
    ///   - runID: the run.
    ///   - console: where people read.
    ///   - events: where programs do instead; nil when none asked.
    /// - Throws: ``RigError`` with exit code 70 when there is no room.
    func report(
        to folder: RunFolder, runID: String, console: Console, events: EventStream?
    ) throws(RigError) {
        let timings = timings()
        try folder.write(TimingsCSV.text(timings, runID: runID), to: "timings.csv")
        guard let whole = timings.whole else { return }
        let summaries = timings.summaries
        if let events {
            events.send(RunEvents.timings(timings, summaries: summaries + [whole]))
        } else {
            console.result(TimingsTable.text(timings, summaries: summaries, whole: whole))
        }
    }

    private func timings() -> RunTimings {
        let now = ProcessorTime.now
        return RunTimings(
            iterations: stopwatches.map(\.timings),
            elapsed: (ContinuousClock.now - began).seconds,
            rigProcessor: now.rig - before.rig, workerProcessor: now.children - before.children)
    }
}
