internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// Goes through a run's plan: observe, judge, write the row, show how far it is.
struct Campaign {
    let crew: Crew
    let folder: RunFolder
    let manifest: Manifest
    let console: Console
    /// Where programs are told of each row; nil when none asked.
    var events: EventStream?
    /// Where the run's folder is going to be, which its texts name.
    let lastingPath: String
    /// Where the time of each iteration is noted; nil when nobody asked.
    var timings: TimingsLog?
    /// The rows of the plan's first iterations, which are in the folder already.
    let kept: [IterationRow]

    /// Why a campaign ended.
    enum Ending {
        case complete
        case interrupted
        case failed(RigError)

        /// What ended the campaign before its plan did; nil when nothing did.
        var early: RigError? {
            switch self {
            case .complete: nil
            case .interrupted: RigError(.interrupted, "\(Interrupted())")
            case .failed(let error): error
            }
        }

        /// What went wrong; nil where nothing did, as when the user has asked to stop.
        var reason: String? {
            if case .failed(let error) = self { error.message } else { nil }
        }
    }

    /// The rows that were written, and why there are no more.
    struct Outcome {
        var rows: [IterationRow] = []
        var ending = Ending.complete
    }

    /// Carries out every planned iteration, as far as it comes.
    func run() async -> Outcome {
        var outcome = Outcome(rows: kept)
        do {
            try await work { outcome.rows.append($0) }
        } catch is Interrupted {
            outcome.ending = .interrupted
        } catch let error as RigError {
            outcome.ending = .failed(error)
        } catch {
            outcome.ending = .failed(RigError(.failure, "\(error)"))
        }
        console.redraw("")
        return outcome
    }

    private func work(_ keep: (IterationRow) -> Void) async throws {
        let appender = try folder.appender(to: "iterations.csv")
        if kept.isEmpty { try appender.append(IterationsCSV.header) }
        let schedule = Array(manifest.schedule.dropFirst(kept.count / manifest.plan.kills))
        try await crew.lead.prepare(schedule, console: console)
        var progress = ProgressMeter(
            total: manifest.expectedRows - kept.count, console: console, events: events)
        try await crew.perform(schedule, study: study) { judged in
            judged.stopwatch.skip()
            for (evidence, row) in judged.kills {
                if row.verdict != .pass {
                    try keepEvidence(evidence, of: row, judged.outcome.folder)
                }
                try appender.append(IterationsCSV.line(row))
                keep(row)
                events?.send(RunEvents.row(row))
                progress.show(row)
            }
            judged.laboratory.discard(judged.outcome)
            judged.stopwatch.lap(.judge)
            timings?.note(judged.stopwatch)
        }
    }

    /// An iteration whose kills are judged.
    private struct Judged: Sendable {
        let kills: [(evidence: IterationEvidence, row: IterationRow)]
        let outcome: IterationOutcome
        let laboratory: Laboratory

        /// Takes no time while the iteration waits for those before it.
        var stopwatch: IterationStopwatch { outcome.stopwatch }
    }

    /// Judges the kills of an iteration, which does not wait for its turn.
    private var study: @Sendable (IterationOutcome, Laboratory) throws -> Judged {
        { [manifest] outcome, laboratory in
            let judged = Judged(
                kills: outcome.kills.map { evidence in
                    let row = Judge.judge(evidence).row(
                        runID: manifest.runID, worker: manifest.worker,
                        workload: manifest.workload.rawValue)
                    return (evidence, row)
                }, outcome: outcome, laboratory: laboratory)
            outcome.stopwatch.lap(.judge)
            return judged
        }
    }

    /// Keeps what a row that did not pass rests on.
    private func keepEvidence(
        _ evidence: IterationEvidence, of row: IterationRow, _ iteration: IterationFolder
    ) throws {
        try folder.keepEvidence(
            of: row, from: iteration,
            texts: try manifest.evidenceTexts(of: row, evidence: evidence, folder: lastingPath))
    }
}
