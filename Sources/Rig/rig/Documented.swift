internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// `rig kill-test --documented`: tests all documented promises against the worker.
struct Documented {
    let command: KillTestCommand
    let runs: SubRuns
    let runID: String
    let worker: WorkerProfile
    let catalogue: PromiseCatalogue

    /// Runs every part, then writes and prints the table.
    func run() async throws -> RigModel.ExitStatus {
        var trial = PromiseTrial(of: catalogue.promises)
        for run in catalogue.runs {
            trial.add(try await runs.run(run.name, run.options))
        }
        var failures: [PartFailure] = []
        let figures = try await measure(&failures)
        trial.add(figures, failures: failures)
        let report = trial.report(runID: runID, seed: runs.seed)
        try runs.folder.write(PromiseJSON.text(report), to: "documented.json")
        try runs.folder.write(PromiseTable.markdown(report), to: "documented.md")
        runs.console.result(command.json ? PromiseJSON.text(report) : PromiseTable.text(report))
        WorkflowReport.append(PromiseTable.markdown(report), console: runs.console)
        return report.status
    }

    /// Measures what no kill can show: speed, memory, and which thresholds the worker rejects.
    private func measure(
        _ failures: inout [PartFailure]
    ) async throws -> [PromiseMeasure: UninterruptedTrials.Figure] {
        let origin = try await command.video.startOrigin()
        let scratch = try runs.folder.makeScratch()
        let trials = UninterruptedTrials(
            worker: worker, origin: origin, scratch: scratch,
            environment: runs.environment.merging(RunStage.direct) { $1 },
            interruption: runs.interruption)
        var figures: [PromiseMeasure: UninterruptedTrials.Figure] = [:]
        var stop: (any Error)?
        for (measure, trial) in Self.trials {
            runs.console.redraw("rig: \(measure.rawValue)")
            do {
                figures[measure] = try await trial(trials)
            } catch let error as RigError {
                failures.append(
                    PartFailure(
                        part: measure.rawValue, reason: error.message,
                        status: PartFailure.status(of: error.status.rawValue)))
            } catch {
                stop = error
                break
            }
        }
        runs.console.redraw("")
        await origin.stop()
        runs.folder.removeScratch()
        if let stop { throw stop }
        return figures
    }

    private typealias Trial =
        @Sendable (UninterruptedTrials) async throws -> UninterruptedTrials.Figure?

    private static let trials: [(PromiseMeasure, Trial)] = [
        (.throughputRatio, { try await $0.throughputRatio() }),
        (.hitFirstByteSeconds, { try await $0.firstByteOfHit() }),
        (.peakMemoryGrowth, { try await $0.peakMemoryGrowth() }),
        (.leastThreshold, { try await $0.leastThreshold() }),
    ]
}
