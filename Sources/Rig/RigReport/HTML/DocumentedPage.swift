package import RigModel

/// `documented.html`: the promises and the documents' own tables, beside what was measured.
package enum DocumentedPage {
    /// A self-contained HTML page in UTF-8; unknown figures are labelled as such.
    package static func text(_ report: DocumentedReport) -> String {
        let tone = Tone(report.status)
        return PageTemplates.render(
            Fields([
                "title": .text("documents on trial: \(StatusText.word(report.status))"),
                "tone": .text(tone.rawValue), "mark": .text(tone.mark),
                "word": .text(StatusText.word(report.status)),
                "code": .text("\(report.status.rawValue)"),
                "headline": .text(PromiseTable.sentence(report.results)),
                "run": .text(
                    PageText.clipped("run \(report.runID), seed \(report.seed)", bytes: 500)),
                "promises": .one(PromiseTable.table(report.results).movingLast(to: 1).fields),
                "tables": .list(DocumentedTable.all(report.documented).map(\.fields)),
                "failures": .list(
                    report.failures.map {
                        Fields(["note": .text(PageText.clipped($0.line, bytes: 1000))])
                    }),
                "hasFailures": .flag(!report.failures.isEmpty),
            ]), with: "documented")
    }
}
