package import RigModel

extension RunSummary {
    /// Summarises, applies the gates and concludes: from rows to what every report says.
    ///
    /// - Parameters:
    ///   - runID: the run's name.
    ///   - command: the command line that made the run.
    ///   - seed: the run's seed.
    ///   - rows: every row of the run.
    ///   - expectedRows: how many the plan asks for.
    ///   - policies: the names of the policies asked for, in that order.
    ///   - reach: the phases that the workload can be in.
    ///   - coverage: of a run that goes through every kill point: how many it has hit.
    ///   - gates: the gates to apply.
    ///   - ending: what ended the run before its plan did: interrupted, or failed; it becomes the
    ///     status. Nil when the rows alone decide.
    ///   - endingReason: why, in words; the message of the error that ended it.
    ///   - missing: what is missing, and what to do, where more is known than how many rows.
    ///   - baseline: the run that gates `vs baseline` compare with.
    /// - Throws: ``RigModel/RigError`` with exit code 64 for a gate that cannot be applied.
    package init(
        runID: String, command: String, seed: UInt64, rows: [IterationRow], expectedRows: Int,
        policies: [String] = [], reach: [Phase] = Phase.allCases,
        coverage: KillPointCoverage? = nil, gates: [Gate] = Gate.defaults,
        ending: ExitStatus? = nil, endingReason: String? = nil, missing: String? = nil,
        baseline: GateBaseline? = nil
    ) throws(RigError) {
        let summaries = Summaries.of(rows, policies: policies, reach: reach)
        let results = try Gate.evaluate(
            gates, rows: rows, policies: policies, baseline: baseline)
        let outcome = Outcome(
            rows: rows, expectedRows: expectedRows, summaries: summaries, gates: results,
            coverage: coverage, ending: ending, endingReason: endingReason,
            missing: missing)
        self.init(
            runID: runID, command: command, seed: seed, expectedRows: expectedRows,
            rows: rows.count, policies: summaries, gates: results, status: outcome.status,
            sentences: outcome.sentences, coverage: coverage)
    }
}
