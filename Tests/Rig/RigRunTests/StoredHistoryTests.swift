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
    private let gates: [Gate]

    init() throws {
        runs = try RunsFolder()
        gates = [try Gate("violations <= +0 vs history")]
    }

    private var history: String { "\(runs.path)/h.sqlite" }

    /// A run whose gate compares with a history that is not there.
    private func store(_ name: String = "run") throws -> StoredRun {
        var asked = try settings()
        asked.gates = gates
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
    }

    /// A wrong path looked like a first run: "the history has no earlier run of this job".
    @Test func aNamedHistoryThatIsNotThereIsSaid() throws {
        let run = try store()
        let named = ReferencePaths(history: history)
        let baseline = try GateBaseline.given(named, of: run.manifest, for: gates)
        let said = baseline?.shortages(of: gates) ?? []
        #expect(said.count == 1 && said[0].hasPrefix("there is no \(history) yet; "), "\(said)")
    }

    /// Adds runs of a job with these rows, one second after the other, long before the others.
    private func add(_ texts: [String], of job: HistoryJob) throws {
        let entries = texts.enumerated().map { index, text in
            HistoryFile.Entry(
                run: HistoryRun(
                    identity: "\(index)", runID: "\(index)",
                    startedAt: "1969-12-31T00:00:0\(index)Z", commit: nil, job: job,
                    machine: "one", judgedBy: "0.1", status: .success, policies: []),
                csv: Data(text.utf8))
        }
        _ = try HistoryFile(history, creates: true).add(entries)
    }

    /// One column more, and every gate vs history ended with 65, after all kills had been made.
    @Test func rowsOfAnotherVersionAreLeftOutAloud() throws {
        let run = try store()
        let text = try String(
            contentsOfFile: "\(run.folder.path)/iterations.csv", encoding: .utf8)
        let older = text.split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).dropLast()
                .joined(separator: ",") + "\n"
        }.joined()
        try add([older, text, older], of: run.manifest.job)
        let baseline = try GateBaseline.given(of: run.manifest, for: gates)
        let gap =
            "left out: 2 earlier runs of \(history), whose rows this version of the rig does not read"
        #expect(baseline?.shortages(of: gates) == [gap])
        let rows = try run.rows(console: silence)
        let kept = ComparableRun(name: "1", rows: rows, facts: nil)
        #expect(baseline == GateBaseline(run: nil, history: [kept], gap: gap))
    }

    /// A fact that is new, such as another kind of fault, would begin every line anew.
    @Test func aJobDoesNotNameWhatIsAsUsual() throws {
        var asked = try settings()
        let usual = try runs.store("usual", asked).manifest.job
        #expect(usual["origin faults"] == "" && usual["worker"] == WorkerProfile.referenceName)
        #expect(!usual.facts.contains { ["", "none", "the usual one"].contains($0.value) })
        asked.relaunch = .again
        let other = try runs.store("other", asked).manifest.job
        #expect(Set(other.facts).subtracting(usual.facts).map(\.name) == ["relaunch"])
    }
}
