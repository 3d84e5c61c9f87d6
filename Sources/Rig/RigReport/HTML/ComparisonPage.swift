package import RigModel

/// The page of `rig compare --html`: what a threshold costs and gains in each run, and what
/// differs.
package enum ComparisonPage {
    /// A self-contained HTML page in UTF-8; unknown figures are labelled as such.
    package static func text(_ comparison: RunComparison) -> String {
        let headline = ComparisonMarkdown.headline(comparison)
        return PageTemplates.render(
            Fields([
                "title": .text("comparison: \(headline)"), "headline": .text(headline),
                "runs": .list(
                    comparison.runs.indices.map { index in
                        let run = comparison.runs[index]
                        let name = PageText.clipped(run.name, bytes: 500)
                        let id = PageText.clipped(run.runID, bytes: 500)
                        let rows = Figure.counted(run.rows, "row")
                        return Fields([
                            "letter": .text(ComparisonTables.letter(index)),
                            "run": .text("\(name), run \(id), \(rows)"),
                            "style": .text(ThresholdPlot.style(index)),
                            "mark": .text(ThresholdPlot.mark(index, x: 22, y: 7)),
                        ])
                    }),
                "curve": .one(ThresholdPlot(comparison: comparison).plot.fields),
                "differences": .one(
                    ComparisonTables.differences(comparison, verdict: "verdict")
                        .movingLast(to: 2).fields),
                "each": .one(ComparisonTables.runs(comparison).fields),
                "notes": .list(
                    ComparisonTables.notes(comparison).map {
                        Fields(["note": .text(PageText.clipped($0, bytes: 1000))])
                    }),
            ]), with: "comparison")
    }
}
