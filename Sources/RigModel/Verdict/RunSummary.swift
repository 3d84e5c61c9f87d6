/// What a whole run shows: everything that a report says of it.
package struct RunSummary: Sendable, Hashable {
    /// The run's name.
    package var runID: String
    /// The command line that made the run.
    package var command: String
    /// The seed that the plan follows from.
    package var seed: UInt64
    /// Rows that the plan asks for.
    package var expectedRows: Int
    /// Rows that there are.
    package var rows: Int
    /// One summary per policy, in the order asked for.
    package var policies: [PolicySummary]
    /// Every gate with its verdict.
    package var gates: [GateResult]
    /// The exit code that follows.
    package var status: ExitStatus
    /// How many of the counted kill points were hit; nil for a run that does not go through them.
    package var coverage: KillPointCoverage?
    /// What the run proves and what it does not, one line each, the most important first.
    package var sentences: [String]
    /// The documents' promises beside what was measured; none where nobody asked.
    package var promises: [PromiseResult] = []
    /// What each machine's rows show, of a run that was merged from parts; empty for any other.
    package var hosts: [HostSummary] = []

    /// A run's summary.
    package init(
        runID: String, command: String, seed: UInt64, expectedRows: Int, rows: Int,
        policies: [PolicySummary], gates: [GateResult], status: ExitStatus, sentences: [String],
        coverage: KillPointCoverage? = nil
    ) {
        self.runID = runID
        self.command = command
        self.seed = seed
        self.expectedRows = expectedRows
        self.rows = rows
        self.policies = policies
        self.gates = gates
        self.status = status
        self.sentences = sentences
        self.coverage = coverage
    }
}
