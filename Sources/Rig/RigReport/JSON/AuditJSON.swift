package import RigModel

/// `audit.json`: what was found in each situation.
package enum AuditJSON {
    package static func text(_ report: AuditReport) -> String {
        JSONValue([
            "schema": 1, "run_id": report.runID, "seed": "\(report.seed)", "worker": report.worker,
            "result": StatusText.word(report.status), "exit_code": report.status.rawValue,
            "situations": report.findings.map(situation),
        ]).document
    }

    private static func situation(_ finding: AuditFinding) -> JSONValue {
        let told = finding.told
        return JSONValue([
            "situation": finding.situation.name, "title": finding.situation.title,
            "outcome": told.word, "kills": told.kills ?? 0, "failed": told.failed,
            "reason": told.reason, "most_lost_bytes": finding.mostLost,
            "starts_over": finding.startsOver, "errors": finding.errors ?? "",
            "rate_below": JSONValue.rate(finding.rateBelow), "mistake": finding.mistake ?? "",
            "command": finding.command, "replay": finding.replay ?? "",
        ])
    }
}
