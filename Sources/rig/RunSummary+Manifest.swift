internal import RigModel
internal import RigVerdict

extension RunSummary {
    /// What a run's rows show, by its gates: the same for a run that has just ended and a stored
    /// one.
    init(manifest: Manifest, rows: [IterationRow], gates: [Gate]) throws {
        try self.init(
            runID: manifest.runID, command: manifest.command.joined(separator: " "),
            seed: manifest.plan.seed, rows: rows, expectedRows: manifest.expectedRows,
            policies: manifest.plan.policies.map(\.name), gates: gates)
    }
}
