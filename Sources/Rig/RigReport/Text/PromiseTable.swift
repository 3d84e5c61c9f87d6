package import RigModel

package enum PromiseTable {
    package static func text(_ report: DocumentedReport) -> String {
        (lines(report.results)
            + ["", sentence(report.results)] + report.failures.map { PrintableText.line($0.line) }
            + [report.status.withCode])
            .joined(separator: "\n") + "\n"
    }

    package static func markdown(_ report: DocumentedReport) -> String {
        let tables = DocumentedTable.all(report.documented).map { table in
            "\(SummaryMarkdown.escaped(table.caption)):\n\n\(table.markdown)"
        }
        let start = [
            "## The documents on trial: \(report.status.withCode)",
            SummaryMarkdown.escaped(sentence(report.results)),
            table(report.results).ifAny?.markdown ?? "",
        ]
        let end = [
            SummaryMarkdown.list(report.failures.map(\.line)),
            "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed).",
        ]
        return SummaryMarkdown.document(start + tables + end)
    }

    static func brief(_ results: [PromiseResult]) -> [String] {
        let judged = results.filter { $0.verdict != .notJudged }
        guard !results.isEmpty else { return [] }
        let others = ids(results, .notJudged)
        let rest = "not judged by this run: \(others); rig verify-claims does"
        return (judged.isEmpty ? [] : lines(judged)) + (others.isEmpty ? [] : [rest])
    }

    /// One line per figure, because terminals are narrow.
    private static func lines(_ results: [PromiseResult]) -> [String] {
        let rows = results.flatMap { result in
            (result.parts.isEmpty ? ["-"] : result.parts).enumerated().map {
                (result: $0 == 0 ? result : nil, part: $1)
            }
        }
        return rows.table([
            .text("promise") { $0.result?.promise.id ?? "" },
            .text("documented") { $0.result?.promise.documented ?? "" },
            .text("verdict") { $0.result?.word ?? "" },
            .text("measured") { $0.part },
        ]).lines
    }

    static func table(_ results: [PromiseResult]) -> Table {
        results.table([
            .text("promise") { $0.promise.id },
            .prose("what is promised") { $0.promise.promise },
            .prose("documented") { $0.promise.documented },
            .prose("measured") { $0.measured },
            .text("verdict") { $0.word }.toned { Tone($0) },
        ]).captioned("What the documents promise, and what this run measured")
    }

    static func rest(_ results: [PromiseResult]) -> String {
        "Not judged by this run: \(ids(results, .notJudged))."
    }

    private static func ids(
        _ results: [PromiseResult], _ verdict: PromiseResult.Verdict
    ) -> String {
        results.filter { $0.verdict == verdict }.map(\.promise.id).joined(separator: ", ")
    }

    static func sentence(_ results: [PromiseResult]) -> String {
        let broken = ids(results, .broken)
        let holding = results.count { $0.verdict == .holds && !$0.isPartial }
        return "\(holding) of \(results.count) promises hold"
            + (broken.isEmpty ? "" : "; broken: \(broken)")
    }
}
