package import RigModel

/// `documented.html`: the promises and the documents' own tables, beside what was measured.
package enum DocumentedPage {
    package static func text(_ report: DocumentedReport) -> String {
        PageTemplates.render(
            Fields(
                [
                    "title": "documents on trial: \(StatusText.word(report.status))",
                    "headline": PromiseTable.sentence(report.results),
                    "run": PageText.clipped("run \(report.runID), seed \(report.seed)", bytes: 500),
                    "promises": PromiseTable.table(report.results).movingLast(to: 1).fields,
                    "tables": DocumentedTable.all(report.documented).map(\.fields),
                    "failures": Fields.notes(report.failures.map(\.line)),
                    "hasFailures": !report.failures.isEmpty,
                ], verdict: report.status), with: "documented")
    }
}
