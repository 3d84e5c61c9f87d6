internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// What a run's rows show, by its gates: the same for a run that has just ended and a stored one.
struct RunVerdict {
    let manifest: Manifest
    let rows: [IterationRow]
    let gates: [Gate]

    /// Judges, and writes `summary.csv`, `summary.json` and `summary.md`.
    func write(to folder: RunFolder) throws -> RunSummary {
        let summary = try summary()
        try folder.write(SummaryCSV.text(summary.policies), to: "summary.csv")
        try folder.write(SummaryJSON.text(summary), to: "summary.json")
        try folder.write(SummaryMarkdown.text(summary), to: "summary.md")
        return summary
    }

    /// Judges.
    func summary() throws -> RunSummary {
        try Outcome.summary(manifest: manifest, rows: rows, gates: gates)
    }
}
