internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict
internal import Synchronization

/// Where the time of a run's iterations goes, for `--timings`; several may end at once.
final class TimingsLog: Sendable {
    private struct Entry {
        let plan: PlannedIteration
        let stopwatch: IterationStopwatch
    }

    private let began = ContinuousClock.now
    private let before = ProcessorTime.now
    private let entries = Mutex<[Entry]>([])

    /// Notes an iteration whose row has been written.
    ///
    /// Its stopwatch is read only when the run is over: its files may be removed until then.
    func note(_ outcome: IterationOutcome) {
        guard let plan = outcome.kills.first?.plan else { return }
        entries.withLock { $0.append(Entry(plan: plan, stopwatch: outcome.stopwatch)) }
    }

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
    ) throws {
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
            iterations: entries.withLock { $0 }.map { $0.stopwatch.timings(of: $0.plan) },
            elapsed: (ContinuousClock.now - began).seconds,
            rigProcessor: now.rig - before.rig, workerProcessor: now.children - before.children)
    }
}
