internal import RigLab
internal import RigModel
internal import RigReport

/// What a run folder says of its rows, in every form: written whenever a run has been judged.
struct RunDocuments {
    let manifest: Manifest
    let rows: [IterationRow]
    let summary: RunSummary

    /// Writes every document, each whole.
    ///
    /// - Throws: ``RigError`` with exit code 70 when there is no room.
    func write(to folder: RunFolder) throws {
        try folder.write(SummaryCSV.text(summary.policies), to: "summary.csv")
        try folder.write(SummaryJSON.text(summary), to: "summary.json")
        try folder.write(SummaryMarkdown.text(summary), to: "summary.md")
        try folder.write(
            JUnitXML.text(summary, rows: rows, manifest: manifest, folder: folder.path),
            to: "junit.xml")
    }
}
