internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// Executes what a manifest plans, or the rest of it: observes, judges, writes each row.
struct Campaign {
    let manifest: Manifest
    let video: ReferenceVideo
    let folder: RunFolder
    /// The final path of the run's folder, which its texts name.
    let lastingPath: String
    var kept: [IterationRow] = []
    let programs: Programs
    let interruption: Interruption
    let console: Console
    /// Receives each row as an event for programs; nil unless requested.
    var events: Console?
    var showsTimings = false
    /// Called once the worker has done its work unharmed, before the first kill.
    var prepared: () -> Void = {}

    struct Progress {
        var rows: [IterationRow] = []
        var failure: RigError?
        var wasInterrupted = false
        /// The programs that are not those that the run began with; nil for none.
        var replaced: [String]?
        /// The table of `--timings`, for people; printed behind the verdict.
        var timings: String?

        /// What ended the campaign before the plan was complete; nil when nothing did.
        var early: RigError? {
            failure ?? (wasInterrupted ? RigError(.interrupted, "\(Interrupted())") : nil)
        }
    }

    func run() async throws -> Progress {
        // After a resume, the guardian of a rig killed a moment ago may still be running: with the
        // same mark it would end the new processes too.
        let times = manifest.resumed?.count ?? 0
        let suffix = times == 0 ? "" : "-\(times + 1)"
        let name = RunFolder.scratchPrefix + suffix
        let scratch = try folder.makeScratch(name)
        defer { if let problem = folder.removeScratch(name) { console.note("rig: \(problem)") } }
        let fit = manifest.profile.map {
            JobFit(jobs: manifest.currentJobs, worker: $0, port: manifest.port)
        }
        if let warning = fit?.warning { console.note("rig: \(warning)") }
        let timings = showsTimings ? TimingsLog() : nil
        return try await RunEnvironment.with(
            manifest, mark: manifest.runID + suffix, programs: programs, port: manifest.port ?? 0,
            jobs: manifest.currentJobs, scratch: scratch, interruption: interruption,
            console: console
        ) { environment in
            let pool = try environment.pool(manifest, video: video)
            var progress = await work(in: pool, timings: timings)
            await pool.settle()
            do {
                try noteReplaced(in: &progress)
                progress.timings = try timings?.report(
                    to: folder, runID: manifest.runID, events: events)
            } catch {
                // The rows are present nevertheless, and an earlier error takes precedence.
                if progress.early == nil { progress.failure = Self.failure(error) }
            }
            return progress
        }
    }

    /// Notes in the manifest which programs were replaced: later kills have started the new ones.
    ///
    /// What the worker may change itself is its state, also where its command names it.
    private func noteReplaced(in progress: inout Progress) throws {
        let profile = try manifest.storedProfile
        let now = programs.digests(of: profile)
        let changed = (manifest.provenance?.changedPrograms(now) ?? []).filter { program in
            program.then != Provenance.unknown && !programs.isOwn(program.name, of: profile)
        }
        guard !changed.isEmpty else { return }
        var noted = manifest
        noted.replaced = Set((manifest.replaced ?? []) + changed.map { $0.name }).sorted()
        progress.replaced = noted.replaced
        try folder.write(try ManifestJSON.text(noted), to: "manifest.json")
    }

    private static func failure(_ error: any Error) -> RigError {
        error as? RigError ?? RigError(.failure, SystemFailure.words(error))
    }

    private func work(in pool: WorkerPool, timings: TimingsLog?) async -> Progress {
        var progress = Progress(rows: kept)
        do {
            try await work(in: pool, timings: timings) { progress.rows.append($0) }
        } catch is Interrupted {
            progress.wasInterrupted = true
        } catch {
            progress.failure = Self.failure(error)
        }
        if let loss = folder.loss { progress.failure = loss }
        console.redraw("")
        return progress
    }

    private func work(
        in pool: WorkerPool, timings: TimingsLog?, _ keep: (IterationRow) -> Void
    ) async throws {
        let appender = try folder.appender(to: "iterations.csv")
        if kept.isEmpty { try appender.append(IterationsCSV.header) }
        let schedule = Array(manifest.schedule.dropFirst(kept.count / manifest.plan.kills))
        try await pool.lead.prepare(schedule, console: console)
        prepared()
        var progress = ProgressMeter(
            total: manifest.expectedRows - kept.count,
            isOnlyPolicy: manifest.plan.policies.count == 1, console: console, events: events)
        var states = KeptStates(manifest.evidence ?? .all)
        for row in kept { _ = states.keeps(row) }
        try await pool.perform(
            schedule,
            study: { [manifest] outcome, laboratory -> Judged in
                // Judged without waiting for earlier iterations.
                let kills = outcome.kills.map { (evidence: $0, row: manifest.row(of: $0)) }
                outcome.stopwatch.lap(.judge)
                return Judged(kills: kills, outcome: outcome, laboratory: laboratory)
            }
        ) { judged in
            judged.stopwatch.skip()
            for (evidence, row) in judged.kills {
                try folder.check()
                let keepsState = states.keeps(row)
                if row.verdict != .pass {
                    try folder.keepEvidence(
                        of: row, from: judged.outcome.folder, withState: keepsState,
                        texts: try manifest.evidenceTexts(
                            of: row, evidence: evidence, folder: lastingPath))
                }
                if let unsynced = evidence.unsynced {
                    try folder.keepUnsynced(StableJSON.text(unsynced), of: RowIdentity(row))
                }
                try appender.append(IterationsCSV.line(row))
                keep(row)
                events?.result(RunEvents.row(row))
                progress.show(row)
            }
            judged.laboratory.discard(judged.outcome)
            judged.stopwatch.lap(.judge)
            timings?.note(judged.stopwatch)
        }
    }

    private struct Judged: Sendable {
        let kills: [(evidence: IterationEvidence, row: IterationRow)]
        let outcome: IterationOutcome
        let laboratory: Laboratory

        var stopwatch: IterationStopwatch { outcome.stopwatch }
    }
}

extension Manifest {
    func row(of evidence: IterationEvidence) -> IterationRow {
        Judge.judge(evidence).row(
            runID: record.runID, worker: record.worker, workload: spec.workload.rawValue)
    }

    /// The evidence of a row that did not pass, besides the state and the log, by file name.
    func evidenceTexts(
        of row: IterationRow, evidence: IterationEvidence, folder: String
    ) throws -> [String: String] {
        let kill = StoredKill(self, planned: evidence.plan, row: row)
        return [
            "evidence.json": try StableJSON.text(evidence),
            "ledger.csv": LedgerCSV.text(evidence),
            "plan.json": try StoredKillJSON.text(kill),
            "replay.txt": kill.replayText(folder: folder),
        ]
    }
}

extension StoredKill {
    init(_ manifest: Manifest, planned: PlannedIteration, row: IterationRow) {
        self.init(
            manifest: manifest, planned: planned, kill: row.kill, verdict: row.verdict,
            reason: row.reason, checkers: row.checkers)
    }
}

/// Shows progress: a line that is redrawn, else one every 10 s; an event every second.
struct ProgressMeter {
    private let console: Console
    private let started = ContinuousClock.now
    private let events: Console?
    private var lastPlainLine = ContinuousClock.now
    private var lastEvent: ContinuousClock.Instant?
    private var killed = 0
    private var state: ProgressState

    init(total: Int, isOnlyPolicy: Bool, console: Console, events: Console?) {
        (self.console, self.events) = (console, events)
        state = ProgressState(total: total)
        state.isOnlyPolicy = isOnlyPolicy
    }

    mutating func show(_ row: IterationRow) {
        state.done += 1
        state.policy = row.policy
        state.violations += row.isViolation ? 1 : 0
        state.inconclusive += row.isConclusive ? 0 : 1
        killed += row.isConclusive && !row.isSpared ? 1 : 0
        state.rateBound =
            killed > 0 ? Binomial.upperBound(events: state.violations, trials: killed) : nil
        state.elapsedSeconds = (ContinuousClock.now - started).seconds
        announce()
        if console.isLive {
            console.redraw(ProgressLine.text(state))
        } else if (ContinuousClock.now - lastPlainLine).seconds >= 10 {
            lastPlainLine = .now
            console.note("rig: \(ProgressLine.text(state))")
        }
    }

    private mutating func announce() {
        let now = ContinuousClock.now
        guard let events,
            state.done == state.total || lastEvent.map({ now - $0 >= .seconds(1) }) ?? true
        else { return }
        lastEvent = now
        events.result(RunEvents.progress(state))
    }
}

final class TimingsLog {
    private let began = ContinuousClock.now
    private let before = ProcessorTime.now
    private var stopwatches: [IterationStopwatch] = []

    /// Its stopwatch is read only after the run: the removal of its files may still be going on.
    func note(_ stopwatch: IterationStopwatch) { stopwatches.append(stopwatch) }

    func report(to folder: RunFolder, runID: String, events: Console?) throws(RigError) -> String? {
        let now = ProcessorTime.now
        let timings = RunTimings(
            iterations: stopwatches.map(\.timings), elapsed: (ContinuousClock.now - began).seconds,
            rigProcessor: now.rig - before.rig, workerProcessor: now.children - before.children)
        try folder.write(TimingsCSV.text(timings, runID: runID), to: "timings.csv")
        guard let whole = timings.whole else { return nil }
        let summaries = timings.summaries
        if let events {
            events.result(RunEvents.timings(timings, summaries: summaries + [whole]))
            return nil
        }
        return TimingsTable.text(timings, summaries: summaries, whole: whole)
    }
}
