internal import RigModel
internal import RigReport
internal import RigVerdict

extension Manifest {
    /// The evidence of a row that did not pass, besides the state and the worker's log, by file
    /// name.
    ///
    /// - Parameter folder: the run's folder as the user would name it.
    /// - Returns: `evidence.json`, everything observed; `ledger.csv`, one line per request;
    ///   `plan.json`, all that `rig replay` needs; `replay.txt`, its command line, and the one that
    ///   lets just its call fail, if one was made to.
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
