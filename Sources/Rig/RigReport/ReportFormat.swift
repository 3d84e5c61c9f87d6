import RigModel

/// A file about a run, written to its folder whenever the run has been judged.
package struct ReportFormat: Sendable {
    package let file: String
    package let text: @Sendable (ReportedRun) -> String

    package static let page = "report.html"

    package static let all = [
        ReportFormat(file: "summary.csv") { SummaryCSV.text($0.summary.policies) },
        ReportFormat(file: "summary.json") { SummaryJSON.text($0.summary) },
        ReportFormat(file: "summary.md") { SummaryMarkdown.text($0) },
        ReportFormat(file: "junit.xml") { JUnitXML.text($0) },
        ReportFormat(file: page) { ReportPage.text($0) },
    ]
}
