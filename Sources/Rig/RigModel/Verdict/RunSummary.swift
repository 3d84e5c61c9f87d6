package struct RunSummary: Sendable, Hashable {
    package var runID: String
    package var command: String
    package var seed: UInt64
    package var expectedRows: Int
    package var rows: Int
    /// One summary per policy, in the order given.
    package var policies: [PolicySummary]
    package var gates: [GateResult]
    package var status: ExitStatus
    /// How many of the counted kill points were hit; nil for a run that does not enumerate them.
    package var coverage: KillPointCoverage?
    /// What the run proves and what it does not, one line each, most important first.
    package var sentences: [String]
    /// Why the run is not complete, or differs from its plan or baseline, one line each.
    package var caveats: [String] = []
    /// The documented promises with the measured values; empty unless requested.
    package var promises: [PromiseResult] = []
    /// The results of each machine, for a run merged from parts; otherwise empty.
    package var hosts: [HostSummary] = []

    /// False for a run of a program that downloads nothing.
    package var hasBytes: Bool { policies.map(\.policy) != [Policy.program.name] }

    package init(
        runID: String, command: String, seed: UInt64, expectedRows: Int, rows: Int,
        policies: [PolicySummary], gates: [GateResult], status: ExitStatus, sentences: [String],
        coverage: KillPointCoverage? = nil
    ) {
        (self.runID, self.command, self.seed) = (runID, command, seed)
        (self.expectedRows, self.rows, self.policies) = (expectedRows, rows, policies)
        (self.gates, self.status, self.sentences) = (gates, status, sentences)
        self.coverage = coverage
    }
}
