internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// Records how the time of a run's iterations is spent, for `--timings`.
final class TimingsLog {
    private let began = ContinuousClock.now
    private let before = ProcessorTime.now
    private var stopwatches: [IterationStopwatch] = []

    /// Adds an iteration after its row has been written, in the plan's order.
    ///
    /// Its stopwatch is read only after the run: the removal of its files may still be going on.
    func note(_ stopwatch: IterationStopwatch) { stopwatches.append(stopwatch) }

    /// Writes `timings.csv`, and summarizes it; exit code 70 when that cannot be written.
    func report(to folder: RunFolder, runID: String, events: Console?) throws(RigError) -> String? {
        let timings = timings()
        try folder.write(TimingsCSV.text(timings, runID: runID), to: "timings.csv")
        guard let whole = timings.whole else { return nil }
        let summaries = timings.summaries
        if let events {
            events.result(RunEvents.timings(timings, summaries: summaries + [whole]))
            return nil
        }
        return TimingsTable.text(timings, summaries: summaries, whole: whole)
    }

    private func timings() -> RunTimings {
        let now = ProcessorTime.now
        return RunTimings(
            iterations: stopwatches.map(\.timings),
            elapsed: (ContinuousClock.now - began).seconds,
            rigProcessor: now.rig - before.rig, workerProcessor: now.children - before.children)
    }
}
