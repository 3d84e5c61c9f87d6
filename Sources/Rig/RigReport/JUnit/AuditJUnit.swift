package import RigModel

/// `junit.xml` of an audit: a suite per situation, with one case.
///
/// What could not be judged is an error where the whole cannot be judged without it, and otherwise
/// skipped: neither is a pass.
package enum AuditJUnit {
    /// XML 1.0 in UTF-8, after the schema of Jenkins' xUnit plugin.
    package static func text(_ report: AuditReport) -> String {
        JUnitXML.document(
            report.findings.map { suite($0, of: report) }, facts: [],
            properties: [
                ("run_id", report.runID), ("seed", String(report.seed)),
                ("worker", report.worker), ("result", StatusText.word(report.status)),
                ("exit_code", String(report.status.rawValue)),
            ])
    }

    private static func suite(_ finding: AuditFinding, of report: AuditReport) -> JUnitSuite {
        let situation = finding.situation
        return JUnitSuite(
            name: "audit of \(report.worker): \(situation.title)",
            className: ["rig", "audit", report.worker, situation.name]
                .map(JUnitSuites.classPart).joined(separator: "."),
            cases: [
                JUnitCase(
                    name: "kills", status: status(finding), output: AuditTable.result(finding))
            ])
    }

    private static func status(_ finding: AuditFinding) -> JUnitCase.Status {
        switch finding.outcome {
        case .sound: return .passed
        case .fails(let count, let kills, let reason):
            return .failed(
                type: "kills", message: "\(count) of \(kills) kills failed: \(reason)",
                details: [
                    finding.mistake, "repeat: \(finding.command)",
                    finding.replay.map { "one kill: \($0)" },
                ].compactMap(\.self).joined(separator: "\n"))
        case .notReached, .doesNotApply: return .skipped(message: AuditTable.result(finding))
        case .unknown(let reason), .notTried(let reason):
            let message = AuditTable.result(finding)
            return finding.situation.isEssential
                ? .undecided(type: "undecided", message: message, details: reason)
                : .skipped(message: message)
        }
    }
}
