package import RigModel

/// The table of an audit, for a terminal and as Markdown.
package enum AuditTable {
    /// The terminal's output: a line per situation, what each failure means, the verdict, and where
    /// the page is.
    package static func text(_ report: AuditReport, page: String) -> String {
        let failures = report.findings.flatMap(explanation)
        let end = [
            sentence(report), "Report  \(PrintableText.line(page))", StatusText.line(report.status),
        ]
        return (table(report).lines + [""] + failures + end)
            .joined(separator: "\n") + "\n"
    }

    /// The text of `audit.md`.
    package static func markdown(_ report: AuditReport) -> String {
        let failures = report.findings.filter { $0.fails }.map { finding in
            "### \(finding.situation.title)\n\n"
                + SummaryMarkdown.escaped("\(result(finding)). \(finding.situation.mistake)")
                + "\n\n<code>\(SummaryMarkdown.escaped(finding.command))</code>"
        }
        let parts = [
            "## Audit of \(SummaryMarkdown.escaped(report.worker)): \(StatusText.line(report.status))",
            SummaryMarkdown.escaped(sentence(report)),
            table(report).markdown,
        ]
        let end = "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed)."
        return SummaryMarkdown.document(parts + failures + [end])
    }

    static func table(_ report: AuditReport) -> Table {
        report.findings.table([
            .text("situation") { .string($0.situation.title) },
            .number("kills") { .integer($0.kills) }.absent("-"),
            .prose("result") { .string(result($0)) }.clipped(1000).toned { $0.tone },
        ]).captioned("Situations")
    }

    /// What was found, on one line.
    static func result(_ finding: AuditFinding) -> String {
        switch finding.outcome {
        case .sound:
            if let errors = finding.errors {
                return "ok when started again; ended with an error \(short(errors))"
            }
            if finding.startsOver { return "ok, starts over after every kill" }
            guard let lost = finding.mostLost else { return "ok" }
            return "ok, lost at most \(MetricUnit.readableBytes(Double(lost)))"
        case .fails(let count, let kills, let reason):
            return "FAIL \(count) of \(kills): \(short(reason))"
        case .unknown(let reason): return "cannot be judged: \(short(reason))"
        case .notTried(let reason): return "not tried: \(reason)"
        }
    }

    /// The most characters of a reason; the run's own report has all of it.
    private static let mostCharacters = 120

    private static func short(_ reason: String) -> String {
        reason.count > mostCharacters ? reason.prefix(mostCharacters - 1) + "…" : reason
    }

    private static func explanation(_ finding: AuditFinding) -> [String] {
        guard finding.fails else { return [] }
        return [
            "\(finding.situation.title):", "  \(finding.situation.mistake)",
            "  Repeat  \(PrintableText.line(finding.command))", "",
        ]
    }

    /// How many situations fail.
    static func sentence(_ report: AuditReport) -> String {
        let failed = report.findings.count { $0.fails }
        let judged = report.findings.count { finding in
            if case .sound = finding.outcome { true } else { finding.fails }
        }
        let rest = report.findings.count - judged
        return "\(failed) of \(judged) situations fail"
            + (rest == 0 ? "" : "; \(rest) could not be judged or were not tried")
    }
}

extension AuditFinding {
    /// How many kills were judged; nil where none was.
    var kills: Int? {
        switch outcome {
        case .sound(let kills), .fails(_, let kills, _): kills
        case .unknown, .notTried: nil
        }
    }

    fileprivate var tone: Tone {
        switch outcome {
        case .sound: .good
        case .fails: .bad
        case .unknown, .notTried: .open
        }
    }

    var fails: Bool { if case .fails = outcome { true } else { false } }
}
