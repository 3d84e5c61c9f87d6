package import RigModel

/// `junit.xml` of an audit: a suite per situation, with one case.
///
/// What could not be judged is an error where the whole cannot be judged without it, and otherwise
/// skipped: neither is a pass.
package enum AuditJUnit {
    package static func text(_ report: AuditReport) -> String {
        JUnitXML.document(
            report.findings.map { finding in
                let situation = finding.situation
                let result = AuditTable.result(finding)
                return JUnitSuite(
                    name: "audit of \(report.worker): \(situation.title)",
                    className: JUnitSuites.className([
                        "rig", "audit", report.worker, situation.name,
                    ]),
                    cases: [
                        JUnitCase(name: "kills", trouble: trouble(finding, result), output: result)
                    ])
            }, facts: [],
            properties: [
                ("run_id", report.runID), ("seed", "\(report.seed)"), ("worker", report.worker),
                ("result", StatusText.word(report.status)),
                ("exit_code", "\(report.status.rawValue)"),
            ])
    }

    private static func trouble(_ finding: AuditFinding, _ message: String) -> JUnitCase.Trouble? {
        switch finding.outcome {
        case .sound: return nil
        case .fails(let count, let kills, let reason):
            return .failed(
                type: "kills", message: "\(count) of \(kills) kills failed: \(reason)",
                details: [
                    finding.mistake, "repeat: \(finding.command)",
                    finding.replay.map { "one kill: \($0)" },
                ].compactMap(\.self).joined(separator: "\n"))
        case .notReached, .doesNotApply: return .skipped(message: message)
        case .unknown(let reason), .notTried(let reason):
            return finding.situation.isEssential
                ? .undecided(type: "undecided", message: message, details: reason)
                : .skipped(message: message)
        }
    }
}
