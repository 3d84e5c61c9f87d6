package import RigModel

/// The page of `rig compare --html`: what a threshold costs and gains in each run, and what
/// differs.
package enum ComparisonPage {
    package static func text(_ comparison: RunComparison) -> String {
        let headline = ComparisonMarkdown.headline(comparison)
        let differences = ComparisonTables.differences(comparison, verdict: "verdict")
        return PageTemplates.render(
            Fields([
                "title": "comparison: \(headline)", "headline": headline,
                "runs": comparison.runs.enumerated().map { run($1, index: $0) },
                "curve": ThresholdPlot(comparison: comparison).plot.fields,
                "differences": differences.movingLast(to: 2).fields,
                "each": ComparisonTables.runs(comparison).fields,
                "notes": Fields.notes(ComparisonTables.notes(comparison)),
            ]), with: "comparison")
    }

    private static func run(_ run: ComparedRun, index: Int) -> Fields {
        let name = PageText.clipped(run.name, bytes: 500)
        let id = PageText.clipped(run.runID, bytes: 500)
        return Fields([
            "letter": ComparisonTables.letter(index),
            "run": "\(name), run \(id), \(Figure.counted(run.rows, "row"))",
            "style": ThresholdPlot.style(index), "mark": ThresholdPlot.mark(index, x: 22, y: 7),
        ])
    }
}
