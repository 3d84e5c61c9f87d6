package import RigModel

extension RunSummary {
    /// Summarises rows, applies the gates and concludes; `ending` is the status of a run that ended
    /// before its plan.
    ///
    /// Exit code 64 for a gate that cannot be applied.
    package init(
        runID: String, command: String, seed: UInt64, rows: [IterationRow], expectedRows: Int,
        policies: [String] = [], reach: [Phase] = Phase.allCases,
        coverage: KillPointCoverage? = nil, gates: [Gate] = Gate.defaults,
        ending: ExitStatus? = nil, endingReason: String? = nil, missing: String? = nil,
        replaced: [String] = [], baseline: GateBaseline? = nil
    ) throws(RigError) {
        let summaries = Summaries.of(rows, policies: policies, reach: reach)
        let results = try Gate.evaluate(gates, rows: rows, policies: policies, baseline: baseline)
        let conclusion = RunVerdict(
            rows: rows, expectedRows: expectedRows, summaries: summaries, gates: results,
            coverage: coverage, missing: missing, replaced: replaced
        ).conclude(ending: ending, reason: endingReason)
        self.init(
            runID: runID, command: command, seed: seed, expectedRows: expectedRows,
            rows: rows.count, policies: summaries, gates: results, status: conclusion.status,
            sentences: conclusion.sentences, coverage: coverage)
        caveats = conclusion.caveats
    }
}
