package import RigModel

package enum ComparisonTable {
    package static func text(_ comparison: RunComparison) -> String {
        let parts = [
            ComparisonTables.legend(comparison).map(PrintableText.line),
            ComparisonTables.differences(comparison).lines, ComparisonTables.runs(comparison).lines,
            ComparisonTables.notes(comparison).map(PrintableText.line),
        ]
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}

package enum ComparisonMarkdown {
    package static func text(_ comparison: RunComparison) -> String {
        SummaryMarkdown.document([
            "## Comparison: \(SummaryMarkdown.escaped(headline(comparison)))",
            SummaryMarkdown.list(ComparisonTables.legend(comparison)),
            ComparisonTables.differences(comparison).markdown,
            ComparisonTables.runs(comparison).markdown,
            SummaryMarkdown.list(ComparisonTables.notes(comparison)),
        ])
    }

    static func headline(_ comparison: RunComparison) -> String {
        let marked = comparison.pairs.flatMap(\.metrics).count {
            [.better, .worse, .differs].contains($0.verdict)
        }
        return marked == 0 ? "no significant difference" : marked.counted("significant difference")
    }
}

package enum HistoryText {
    package static func text(_ report: HistoryReport) -> String {
        let changes = report.changes.counted("change")
        let headline = "\(changes) in \(report.runs.count.counted("run"))\n"
        return report.changes == 0 ? headline : headline + HistoryTables.changeTable(report).text
    }
}
