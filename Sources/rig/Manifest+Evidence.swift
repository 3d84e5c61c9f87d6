internal import RigModel
internal import RigReport
internal import RigVerdict

extension Manifest {
    /// What is kept of a row that did not pass, beside the state and the worker's log, by the
    /// files' names.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - evidence: what it rests on.
    ///   - folder: the run's folder as the user would name it.
    /// - Returns: `evidence.json`, everything observed; `ledger.csv`, a line per request;
    ///   `plan.json`, all that `rig replay` needs; `replay.txt`, its command line.
    /// - Throws: what the encoder throws.
    func evidenceTexts(
        of row: IterationRow, evidence: IterationEvidence, folder: String
    ) throws -> [String: String] {
        let kill = StoredKill(self, planned: evidence.plan, row: row)
        return [
            "evidence.json": try EvidenceJSON.text(evidence),
            "ledger.csv": LedgerCSV.text(evidence),
            "plan.json": try StoredKillJSON.text(kill),
            "replay.txt": kill.replayCommand(folder: folder) + "\n",
        ]
    }
}

extension StoredKill {
    /// The kill of a row.
    init(_ manifest: Manifest, planned: PlannedIteration, row: IterationRow) {
        self.init(
            manifest: manifest, planned: planned, kill: row.kill, verdict: row.verdict,
            reason: row.reason, checkers: row.checkers)
    }
}
