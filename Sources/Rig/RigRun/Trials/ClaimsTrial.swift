internal import FixtureOrigin
internal import Foundation
internal import RigLab
package import RigModel
internal import RigProfiles
internal import RigReport
internal import RigVerdict

/// `rig verify-claims`: tests all documented promises against the worker.
package struct ClaimsTrial {
    private let stage: TrialStage
    private let catalogue: PromiseCatalogue

    package init(_ settings: TrialSettings, bounds: String?, console: Console) throws {
        guard settings.profile.isDocumented else {
            throw settings.refused(
                "rig verify-claims", "about which the documents promise something")
        }
        stage = try TrialStage(
            settings, worker: settings.profile.asStartedHere, console: console)
        catalogue = try Self.catalogue(bounds)
    }

    /// The promises to judge; exit code 64 for a missing file, 65 for an invalid one.
    private static func catalogue(_ bounds: String?) throws(RigError) -> PromiseCatalogue {
        guard let bounds else { return try Bounds.standard() }
        guard let data = FileManager.default.contents(atPath: bounds) else {
            throw RigError(.usage, "cannot read \(bounds); name a file like bounds.yml")
        }
        return try Bounds.read(String(decoding: data, as: UTF8.self), name: bounds)
    }

    package func run() async throws -> ExitStatus { try await stage.run(run(by:)) }

    private func run(by runs: SubRuns) async throws -> ExitStatus {
        var trial = PromiseTrial(of: catalogue.promises)
        for run in catalogue.runs {
            let part = try await runs.run(run.name, run.options)
            trial.add(try await completed(part, by: run, of: trial, runs))
        }
        let (figures, failures) = try await measure(by: runs)
        trial.add(figures, failures: failures)
        let report = trial.report(
            runID: runs.runID, seed: runs.seed, with: catalogue.documented ?? .empty)
        try runs.folder.write(DocumentedCSV.text(report.documented), to: "documented.csv")
        try runs.folder.write(DocumentedPage.text(report), to: "documented.html")
        return try runs.conclude(
            "documented", report.status, json: PromiseJSON.text(report),
            markdown: PromiseTable.markdown(report), text: PromiseTable.text(report))
    }

    /// The most runs of one part.
    private static let mostRounds = 4
    private static let fewestMore = 20

    /// A part with as many further kills as its estimates need: twice what is missing, as half of them
    /// may come too late as well, and so many that one that proves nothing leaves their run decided.
    private func completed(
        _ part: RunPart, by run: PromiseCatalogue.Run, of trial: PromiseTrial, _ runs: SubRuns
    ) async throws -> RunPart {
        var part = part
        for round in 2...Self.mostRounds {
            let missing = trial.missingKills(part)
            guard missing > 0 else { break }
            let more = max(Self.fewestMore, 2 * missing)
            runs.console.note(
                "rig: \(run.name): \(missing) more kills have to count; \(more) are made in"
                    + " \(run.name)-\(round)")
            part = part.joined(
                try await runs.run(
                    "\(run.name)-\(round)", run.options + ["--iterations", "\(more)"],
                    seed: runs.seed &+ UInt64(round)))
        }
        return part
    }

    /// Measures what no kill can show and a promise is about: speed, memory, refused thresholds.
    private func measure(
        by runs: SubRuns
    ) async throws -> ([PromiseFigure: PromiseMeasurements.Figure], [PartFailure]) {
        let own = catalogue.promises.filter { $0.judgedBy.contains(PromiseCatalogue.rig) }
        let wanted = Set(own.flatMap(\.limits).map(\.measure.figure))
        var figures: [PromiseFigure: PromiseMeasurements.Figure] = [:]
        var failures: [PartFailure] = []
        guard !wanted.isEmpty else { return (figures, failures) }
        let scratch = try runs.folder.makeScratch()
        defer { runs.folder.removeScratch() }
        let authority = runs.settings.tls ? try RunAuthority(in: scratch) : nil
        let origin = try await FixtureOrigin.listening(faults: [], certifiedBy: authority)
        let measurements = PromiseMeasurements(
            worker: authority.map { stage.worker.trusting($0.file) } ?? stage.worker,
            origin: origin, scratch: scratch,
            environment: runs.environment
                .merging(DirectAccess.variables(beside: runs.environment)) { $1 }
                .merging(authority?.variables ?? [:]) { $1 },
            interruption: runs.interruption)
        var stop: (any Error)?
        for (figure, measure) in Self.measures where wanted.contains(figure) {
            runs.console.redraw("rig: \(figure.rawValue)")
            do {
                figures[figure] = try await measure(measurements)
            } catch let error as RigError {
                failures.append(
                    PartFailure(
                        part: figure.rawValue, reason: error.message,
                        status: PartFailure.status(of: error.status.rawValue)))
            } catch {
                stop = error
                break
            }
        }
        runs.console.redraw("")
        await origin.stop()
        if let stop { throw stop }
        return (figures, failures)
    }

    private typealias Measure =
        @Sendable (PromiseMeasurements) async throws -> PromiseMeasurements.Figure?

    private static let measures: [(PromiseFigure, Measure)] = [
        (.throughputRatio, { try await $0.throughputRatio() }),
        (.hitFirstByteSeconds, { try await $0.firstByteOfHit() }),
        (.peakMemoryGrowth, { try await $0.peakMemoryGrowth() }),
        (.leastThreshold, { try await $0.leastThreshold() }),
    ]
}
