package import RigModel

package enum AuditTable {
    package static func text(_ report: AuditReport, page: String) -> String {
        let failures = report.findings.flatMap(explanation)
        let end = [
            sentence(report), "Report  \(PrintableText.line(page))", report.status.withCode,
        ]
        return (table(report).lines + [""] + failures + end).joined(separator: "\n") + "\n"
    }

    /// A situation's row, in one line, for those who wait for the table.
    package static func progress(_ finding: AuditFinding) -> String {
        let kills = finding.kills.map { " (\($0.counted("kill")))" } ?? ""
        return PrintableText.line("\(finding.situation.title)\(kills): \(result(finding))")
    }

    package static func markdown(_ report: AuditReport) -> String {
        let failures = report.findings.filter { $0.fails }.map { finding in
            let mistake = finding.mistake.map { " \($0)" } ?? ""
            let words = SummaryMarkdown.escaped("\(result(finding, isWhole: true)).\(mistake)")
            let commands = [finding.command, finding.replay].compactMap(\.self)
            let code = commands.map(SummaryMarkdown.code).joined(separator: "\n\n")
            return "### \(finding.situation.title)\n\n\(words)\n\n\(code)"
        }
        let parts = [
            "## Audit of \(SummaryMarkdown.escaped(report.worker)): \(report.status.withCode)",
            SummaryMarkdown.escaped(sentence(report)), table(report, isWhole: true).markdown,
        ]
        let end = "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed)."
        return SummaryMarkdown.document(parts + failures + [end])
    }

    static func table(_ report: AuditReport, isWhole: Bool = false) -> Table {
        report.findings.table([
            .text("situation") { $0.situation.title },
            .figure("kills") { .integer($0.kills) }.absent("-"),
            .prose("result") { result($0, isWhole: isWhole) }.clipped(1000)
                .toned { $0.told.tone },
        ]).captioned("Situations")
    }

    static func result(_ finding: AuditFinding, isWhole: Bool = false) -> String {
        func short(_ reason: String) -> String {
            isWhole || reason.count <= mostCharacters
                ? reason : reason.prefix(mostCharacters - 1) + "…"
        }
        let told = finding.told
        switch finding.outcome {
        case .sound:
            // A few kills without a failure say little.
            let rate = finding.rateBelow.map {
                " (rate < \(FixedPoint.upperBound($0 * 100, decimals: 1)) %)"
            }
            let ok = "ok\(rate ?? "")"
            if let errors = finding.errors {
                return "\(ok) when started again; ended with an error \(short(errors))"
            }
            if finding.startsOver { return "\(ok), starts over after every kill" }
            guard let lost = finding.mostLost else { return ok }
            return "\(ok), lost at most \(MetricUnit.readableBytes(Double(lost)))"
        case .fails(let count, let kills, let reason):
            let rest = finding.failure.map { " (\(short($0.reason)))" } ?? ""
            return "FAIL \(count) of \(kills): \(short(reason))\(rest)"
        case .unknown: return "\(told.word): \(short(told.reason))"
        case .notTried, .notReached, .doesNotApply: return "\(told.word): \(told.reason)"
        }
    }

    /// The most characters of a reason on a terminal; the other documents have all of it.
    private static let mostCharacters = 120

    private static func explanation(_ finding: AuditFinding) -> [String] {
        guard finding.fails else { return [] }
        let kill = finding.replay.map { ["  One kill  \(PrintableText.line($0))"] } ?? []
        return [
            "\(finding.situation.title):",
            "  \(finding.mistake ?? PrintableText.line(finding.told.reason))",
            "  Repeat  \(PrintableText.line(finding.command))",
        ] + kill + [""]
    }

    static func sentence(_ report: AuditReport) -> String {
        let failed = report.findings.count { $0.fails }
        let judged = report.findings.count { $0.kills != nil }
        let moot = report.findings.count { $0.isMoot }
        let unknown = report.findings.count { $0.isUnknown }
        let untried = report.findings.count - judged - moot - unknown
        return [
            "\(failed) of \(judged) situations fail",
            moot == 0 ? nil : "\(moot) did not apply or were not reached",
            unknown == 0 ? nil : "\(unknown) could not be judged",
            untried == 0 ? nil : "\(untried) \(untried == 1 ? "was" : "were") not tried",
        ].compactMap(\.self).joined(separator: "; ")
    }
}

extension AuditFinding {
    var told: (word: String, kills: Int?, failed: Int, reason: String, tone: Tone) {
        switch outcome {
        case .sound(let kills): ("ok", kills, 0, "", .good)
        case .fails(let count, let kills, let reason): ("fail", kills, count, reason, .bad)
        case .unknown(let reason): ("cannot be judged", nil, 0, reason, .open)
        case .notTried(let reason): ("not tried", nil, 0, reason, .open)
        case .notReached(let reason): ("not reached", nil, 0, reason, .open)
        case .doesNotApply(let reason): ("does not apply", nil, 0, reason, .open)
        }
    }

    var kills: Int? { told.kills }

    var fails: Bool { told.tone == .bad }

    /// True where the situation was tried, and nothing could be judged.
    var isUnknown: Bool {
        if case .unknown = outcome { true } else { false }
    }

    /// True where the situation's kills were made, and what is tried there had no effect.
    var isMoot: Bool {
        switch outcome {
        case .notReached, .doesNotApply: true
        default: false
        }
    }
}
