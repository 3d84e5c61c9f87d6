package import RigModel
package import RigVerdict

/// The gates that judge a stored run, and what they compare with.
package struct Criteria {
    let gates: [Gate]
    let baseline: GateBaseline?

    /// The given gates, or those of the run.
    package init(
        of manifest: Manifest, given: [Gate]? = nil,
        _ references: ReferencePaths = ReferencePaths(), remedy: String? = nil
    ) throws {
        gates = try Gate.fitting(given ?? manifest.judgedBy, manifest.workload)
        baseline = try .given(references, of: manifest, for: gates, remedy: remedy)
    }

    /// Rejects gates that no rows of the run can satisfy, with exit code 64.
    package func check(_ manifest: Manifest) throws {
        var size = try manifest.size
        size.baseline = baseline
        try Gate.check(gates, size: size)
    }

    /// The results of rows, which have to be rows of the run.
    package func summary(of manifest: Manifest, _ rows: [IterationRow]) throws -> RunSummary {
        try PlanCheck.check(rows, against: manifest)
        return try RunSummary(manifest: manifest, rows: rows, gates: gates, baseline: baseline)
    }
}
