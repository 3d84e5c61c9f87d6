package import RigModel

/// The page of `rig compare --html`: what a threshold costs and gains in each run, and what
/// differs.
package enum ComparisonPage {
    /// The whole page.
    ///
    /// - Parameter comparison: the comparison; its unknown figures are labelled as such.
    /// - Returns: a self-contained HTML page in UTF-8.
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
                            "letter": .text(ComparisonCells.letter(index)),
                            "run": .text("\(name), run \(id), \(rows)"),
                            "style": .text(ThresholdPlot.style(index)),
                            "mark": .text(ThresholdPlot.mark(index, x: 22, y: 7)),
                        ])
                    }),
                "curve": .one(ThresholdPlot(comparison: comparison).plot.fields),
                "differences": .one(differences(comparison).fields),
                "each": .one(
                    PageTable(
                        "What every policy of every run shows",
                        columns(ComparisonCells.runTitles, numbers: ComparisonCells.runNumbers),
                        texts: ComparisonCells.runRows(comparison)
                    ).fields),
                "notes": .list(
                    ComparisonCells.notes(comparison).map {
                        Fields(["note": .text(PageText.clipped($0, bytes: 1000))])
                    }),
            ]), with: "comparison")
    }

    private static func columns(_ titles: [String], numbers: Set<Int>) -> [PageTable.Column] {
        titles.enumerated().map { index, title in
            numbers.contains(index) ? .number(title) : .text(title.isEmpty ? "verdict" : title)
        }
    }

    private static func differences(_ comparison: RunComparison) -> PageTable {
        let verdicts = comparison.pairs.flatMap(\.metrics).map(\.verdict)
        let rows = zip(ComparisonCells.rows(comparison), verdicts).map { texts, verdict in
            var cells = texts.map { PageTable.Cell($0) }
            cells[cells.count - 1].tone = Tone(verdict)
            return verdictForward(cells)
        }
        return PageTable(
            "Every figure of the base beside the other's",
            verdictForward(columns(ComparisonCells.titles, numbers: ComparisonCells.numbers)), rows)
    }

    /// Moves the last column after policy and metric, where a phone shows it without scrolling.
    private static func verdictForward<Element>(_ cells: [Element]) -> [Element] {
        Array(cells.prefix(2) + cells.suffix(1) + cells.dropFirst(2).dropLast())
    }
}

extension Tone {
    /// Nil when there is no difference.
    fileprivate init?(_ verdict: ComparisonVerdict) {
        switch verdict {
        case .same: return nil
        case .better: self = .good
        case .worse: self = .bad
        case .differs, .unknown: self = .open
        }
    }
}
