import Foundation
import RigLab
import RigModel
import RigReport
import RigVerdict
import Testing

@testable import RigRun

/// What a history keeps of a stored run, and what the gates of one compare with.
struct StoredHistoryTests {
    private let runs: RunsFolder

    init() throws { runs = try RunsFolder() }

    private var history: String { "\(runs.path)/h.sqlite" }

    /// A run whose gate compares with a history that is not there.
    private func store(_ name: String = "run") throws -> StoredRun {
        var asked = try settings()
        asked.gates = [try Gate("violations <= +0 vs history")]
        asked.spec.history = history
        return try runs.store(name, asked)
    }

    /// Writes the summary that the rig would have left of these rows, by default the run's own.
    private func end(
        _ run: StoredRun, as status: RigModel.ExitStatus, rows: [IterationRow]? = nil
    ) throws {
        let manifest = run.manifest
        let own = try run.rows(console: silence)
        let summary = try RunSummary(
            runID: manifest.runID, command: "rig kill-test", seed: manifest.plan.seed,
            rows: rows ?? own, expectedRows: manifest.expectedRows,
            policies: manifest.plan.policies.map(\.name), gates: [], ending: status)
        try run.folder.write(SummaryJSON.text(summary), to: "summary.json")
    }

    private func entry(of run: StoredRun) throws -> HistoryFile.Entry {
        try HistoryFile.Entry.stored(
            run.folder.path, commit: nil, environment: [:], console: silence)
    }

    /// The job that adds a run is often not the one that made it.
    ///
    /// Where the history of its gates was not at hand, each run was judged again with none, so one
    /// that had failed was kept as undecided, and the badge was yellow.
    @Test(arguments: [RigModel.ExitStatus.success, .gateFailed])
    func aRunIsKeptWithTheVerdictThatItHad(status: RigModel.ExitStatus) throws {
        let run = try store()
        try end(run, as: status)
        #expect(try entry(of: run).run.status == status)
    }

    @Test func aVerdictOnOtherRowsIsNone() throws {
        let run = try store()
        let missing = refusal(.data) { _ = try entry(of: run) }
        #expect(missing?.contains("has no summary.json of its rows") == true, "\(missing ?? "")")
        let rows = try run.rows(console: silence)
        try end(run, as: .success, rows: Array(rows.dropLast()))
        #expect(refusal(.data) { _ = try entry(of: run) } == missing)
    }

    /// Where the history was elsewhere, `rig judge` took it for an empty one, and a run that had
    /// passed was undecided.
    @Test func aRecordedHistoryThatIsNotThereIsAskedFor() throws {
        let run = try store()
        let message = refusal(.data) { _ = try Criteria(of: run.manifest) }
        let advice = "cannot be read: name where it lies now with --history FILE"
        #expect(message?.contains(advice) == true, "\(message ?? "accepted")")
        // One that is named is that of a first run.
        _ = try Criteria(of: run.manifest, ReferencePaths(history: history))
    }
}
