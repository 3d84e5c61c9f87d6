package import RigModel

/// `audit.json`: what was found in each situation.
package enum AuditJSON {
    package static func text(_ report: AuditReport) -> String {
        JSONValue.object([
            ("schema", .integer(1)),
            ("run_id", .string(report.runID)),
            ("seed", .string(String(report.seed))),
            ("worker", .string(report.worker)),
            ("result", .string(StatusText.word(report.status))),
            ("exit_code", .integer(Int64(report.status.rawValue))),
            ("situations", .array(report.findings.map(situation))),
        ]).document
    }

    private static func situation(_ finding: AuditFinding) -> JSONValue {
        let (word, kills, failed, reason) = parts(of: finding.outcome)
        return .object([
            ("situation", .string(finding.situation.name)),
            ("title", .string(finding.situation.title)),
            ("outcome", .string(word)),
            ("kills", .integer(kills)),
            ("failed", .integer(failed)),
            ("reason", .string(reason)),
            ("most_lost_bytes", .integer(finding.mostLost)),
            ("starts_over", .boolean(finding.startsOver)),
            ("errors", .string(finding.errors ?? "")),
            ("rate_below", .rate(finding.rateBelow)),
            ("mistake", .string(finding.mistake ?? "")),
            ("command", .string(finding.command)),
            ("replay", .string(finding.replay ?? "")),
        ])
    }

    private static func parts(
        of outcome: AuditFinding.Outcome
    ) -> (word: String, kills: Int, failed: Int, reason: String) {
        switch outcome {
        case .sound(let kills): ("ok", kills, 0, "")
        case .fails(let count, let kills, let reason): ("fail", kills, count, reason)
        case .unknown(let reason): ("cannot be judged", 0, 0, reason)
        case .notTried(let reason): ("not tried", 0, 0, reason)
        case .notReached(let reason): ("not reached", 0, 0, reason)
        case .doesNotApply(let reason): ("does not apply", 0, 0, reason)
        }
    }
}
