package import RigModel

/// `summary.md`: the run for a pull request or a job summary, the verdict first.
package enum SummaryMarkdown {
    /// The whole file, which begins with what failed, in which kill, and how to have it again.
    package static func text(_ run: ReportedRun) -> String {
        text(run.summary, failure: FailureBrief(run))
    }

    /// The whole file of a run of which no row failed.
    package static func text(_ summary: RunSummary) -> String { text(summary, failure: nil) }

    private static func text(_ summary: RunSummary, failure: FailureBrief?) -> String {
        let word = StatusText.word(summary.status)
        var parts = [
            "## Kill test: \(word) (exit \(summary.status.rawValue))",
            failure.map(brief) ?? "",
            list(summary.sentences),
            gates(summary.gates),
            policies(summary.policies),
            costs(summary.policies),
            strata(summary.policies),
            summary.coverage.map(CoverageText.line) ?? "",
            hosts(summary.hosts),
            PromiseTable.markdown(summary.promises.filter { $0.verdict != .notJudged }),
            "Run \(escaped(summary.runID)), seed \(summary.seed),"
                + " \(summary.rows) of \(summary.expectedRows) rows:"
                + " <code>\(escaped(summary.command))</code>",
        ]
        parts.removeAll(where: \.isEmpty)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func brief(_ failure: FailureBrief) -> String {
        list([failure.headline, "\(failure.kill), \(failure.reason)"] + failure.others)
            + "\n- repeat: <code>\(escaped(failure.command))</code>"
    }

    private static func gates(_ results: [GateResult]) -> String {
        guard !results.isEmpty else { return "" }
        let rows = results.map { result -> [String] in
            [
                StatusText.word(result.verdict), result.title,
                result.value.map(result.unit.text) ?? Figure.notKnown,
                result.unit.text(result.limit), String(result.n),
                result.interval.map { Figure.interval($0, result.unit.text) } ?? "-",
            ]
        }
        return table(
            ["verdict", "gate", "value", "limit", "n", "95 % interval"], rows, textColumns: 2)
    }

    private static func policies(_ summaries: [PolicySummary]) -> String {
        guard !summaries.isEmpty else { return "" }
        return table(PolicyCells.titles, summaries.map(PolicyCells.cells), textColumns: 1)
    }

    private static func costs(_ summaries: [PolicySummary]) -> String {
        let rows = CostCells.rows(summaries)
        return rows.isEmpty ? "" : table(CostCells.titles, rows, textColumns: 1)
    }

    private static func hosts(_ summaries: [HostSummary]) -> String {
        let rows = HostCells.rows(summaries)
        return rows.isEmpty ? "" : table(HostCells.titles, rows, textColumns: 1)
    }

    private static func strata(_ summaries: [PolicySummary]) -> String {
        guard let strata = StrataCells(summaries) else { return "" }
        let notes = list(strata.notes)
        return table(strata.titles, strata.rows, textColumns: strata.textColumns)
            + (notes.isEmpty ? "" : "\n\n\(notes)")
    }

    /// A table whose first columns hold text, and the others numbers.
    private static func table(
        _ titles: [String], _ rows: [[String]], textColumns: Int
    ) -> String {
        TextGrid.markdown(titles, rows, numbers: Set(textColumns..<titles.count))
    }

    /// Escapes external text so that Markdown only displays it, on one line.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in PrintableText.line(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "|", "\\", "`", "*", "_", "[", "]", "~", "#": result += "\\\(scalar)"
            // A zero-width space prevents the mention of a user.
            case "@": result += "@&#8203;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        // URLs in plain text would become links.
        return result.replacing("://", with: "&#58;//").replacing("www.", with: "www&#46;")
    }

    /// External texts as the items of a list.
    ///
    /// The start of a text could begin a nested list, a rule or a code block; an invisible
    /// zero-width space prevents that.
    static func list(_ texts: [String]) -> String {
        texts.map(PrintableText.line).map { text in
            let number = text.prefix { "0123456789".contains($0) }
            let mark = text.dropFirst(number.count).first
            let begins =
                number.isEmpty
                ? mark.map { $0.isWhitespace || "-+".contains($0) } ?? false
                : mark.map { ".)".contains($0) } ?? false
            return "- \(begins ? "\u{200B}" : "")\(escaped(text))"
        }.joined(separator: "\n")
    }
}
