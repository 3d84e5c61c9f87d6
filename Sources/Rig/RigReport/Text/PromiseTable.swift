package import RigModel

/// Promises and their measurements, for a terminal and as Markdown.
package enum PromiseTable {
    /// The terminal's output for `rig verify-claims`.
    package static func text(_ report: DocumentedReport) -> String {
        (lines(report.results)
            + ["", sentence(report.results)] + report.failures.map { TextGrid.printable($0.line) }
            + ["\(StatusText.word(report.status)) (exit \(report.status.rawValue))"])
            .joined(separator: "\n") + "\n"
    }

    /// The text of `documented.md`.
    package static func markdown(_ report: DocumentedReport) -> String {
        let word = StatusText.word(report.status)
        var parts = [
            "## The documents on trial: \(word) (exit \(report.status.rawValue))",
            SummaryMarkdown.escaped(sentence(report.results)),
            markdown(report.results),
        ]
        parts += DocumentedCells.tables(report.documented).map { table in
            "\(SummaryMarkdown.escaped(table.caption)):\n\n"
                + TextGrid.markdown(
                    table.titles, table.rows, numbers: Set(1..<table.titles.count - 1))
        }
        parts += [
            SummaryMarkdown.list(report.failures.map(\.line)),
            "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed).",
        ]
        parts.removeAll(where: \.isEmpty)
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The table of a run's `summary.md`; empty without promises.
    static func markdown(_ results: [PromiseResult]) -> String {
        results.isEmpty ? "" : TextGrid.markdown(titles, rows(results), numbers: [])
    }

    /// A few lines for the end of a run: what it judged, and what it did not.
    static func brief(_ results: [PromiseResult]) -> [String] {
        let judged = results.filter { $0.verdict != .notJudged }
        guard !results.isEmpty else { return [] }
        let others = results.filter { $0.verdict == .notJudged }.map(\.promise.id)
        let rest =
            others.isEmpty
            ? []
            : [
                "not judged by this run: \(others.joined(separator: ", ")); "
                    + "rig verify-claims does"
            ]
        return (judged.isEmpty ? [] : lines(judged)) + rest
    }

    /// One line per figure, because terminals are narrow.
    private static func lines(_ results: [PromiseResult]) -> [String] {
        let rows = results.flatMap { result in
            (result.parts.isEmpty ? ["-"] : result.parts).enumerated().map { index, part in
                index == 0
                    ? [result.promise.id, result.promise.documented, result.word, part]
                    : ["", "", "", part]
            }
        }
        return TextGrid.lines(
            ["promise", "documented", "verdict", "measured"], rows, numbers: [])
    }

    private static let titles = [
        "promise", "what is promised", "documented", "measured", "verdict",
    ]

    private static func rows(_ results: [PromiseResult]) -> [[String]] {
        results.map {
            [$0.promise.id, $0.promise.promise, $0.promise.documented, $0.measured, $0.word]
        }
    }

    static func sentence(_ results: [PromiseResult]) -> String {
        let broken = results.filter { $0.verdict == .broken }.map(\.promise.id)
        let holding = results.count { $0.verdict == .holds && !$0.isPartial }
        return "\(holding) of \(results.count) promises hold"
            + (broken.isEmpty ? "" : "; broken: \(broken.joined(separator: ", "))")
    }
}
