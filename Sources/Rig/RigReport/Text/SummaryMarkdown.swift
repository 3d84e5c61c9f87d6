package import RigModel

/// `summary.md`: the run for a pull request or a job summary, the verdict first.
package enum SummaryMarkdown {
    package static func text(_ run: ReportedRun) -> String {
        text(run.summary, failure: FailureBrief(run))
    }

    package static func text(_ summary: RunSummary, failure: FailureBrief? = nil) -> String {
        document([
            "## Kill test: \(summary.status.withCode)", failure.map(brief) ?? "",
            list(summary.sentences),
            GateTable.table(summary.gates, onPage: false).ifAny?.markdown ?? "",
            summary.policies.table(SummaryColumns.overview(hasBytes: summary.hasBytes))
                .ifAny?.markdown ?? "",
            SummaryColumns.costs(summary.policies)?.markdown ?? "",
            Strata(summary.policies).map(strata) ?? "", summary.coverage?.line ?? "",
            HostColumns.table(summary.hosts)?.markdown ?? "",
            PromiseTable.table(summary.promises.filter { $0.verdict != .notJudged })
                .ifAny?.markdown ?? "",
            "Run \(escaped(summary.runID)), seed \(summary.seed),"
                + " \(summary.rows) of \(summary.expectedRows) rows:"
                + " <code>\(escaped(summary.command))</code>",
        ])
    }

    static func document(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func brief(_ failure: FailureBrief) -> String {
        list([failure.headline, "\(failure.kill), \(failure.reason)"] + failure.others)
            + ([("repeat", failure.command)] + (failure.call?.lines ?? [])).map {
                "\n- \($0.label.lowercased()): <code>\(escaped($0.text))</code>"
            }.joined()
    }

    private static func strata(_ strata: Strata) -> String {
        let notes = list(strata.notes)
        return strata.table.markdown + (notes.isEmpty ? "" : "\n\n\(notes)")
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

    /// External text as code, on one line: what means something in Markdown means nothing there.
    static func code(_ text: String) -> String {
        let line = PrintableText.line(text)
        let longest = line.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        // A backtick beside the fence would be part of it.
        let gap = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + gap + line + gap + fence
    }

    /// External texts as the items of a list; a zero-width space stops their starts from more.
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
