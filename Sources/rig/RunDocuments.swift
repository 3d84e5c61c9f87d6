internal import RigLab
internal import RigModel
internal import RigReport

/// What a run folder says of its rows, in every form: written whenever a run has been judged.
struct RunDocuments {
    let manifest: Manifest
    let rows: [IterationRow]
    let summary: RunSummary

    /// The name of the report page.
    static let page = "report.html"

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
        try folder.write(ReportPage.text(reported(from: folder)), to: Self.page)
    }

    /// The run with what its folder keeps of the rows that failed.
    func reported(from folder: RunFolder) -> ReportedRun {
        let details = ReportPage.detailed(rows).compactMap { row in
            let identity = RowIdentity(row)
            return Self.details(of: identity, in: folder).map { (identity, $0) }
        }
        return ReportedRun(
            manifest: manifest, rows: rows, summary: summary, folder: folder.path,
            details: Dictionary(details) { first, _ in first })
    }

    /// What is kept of a row; nil where nothing is.
    ///
    /// Evidence that cannot be read is shown as what it then is: not known. The rows judge the run.
    private static func details(of row: RowIdentity, in folder: RunFolder) -> KillDetails? {
        let place = row.evidencePath
        let log = folder.tail(of: "\(place)/worker.log")
        let text = try? folder.text(of: "\(place)/evidence.json")
        let evidence = text.flatMap { try? EvidenceJSON.read($0) }
        guard log != nil || evidence != nil else { return nil }
        return KillDetails(workerLog: log, resumption: evidence?.resumption)
    }
}
