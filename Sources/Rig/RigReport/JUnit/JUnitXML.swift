package import RigModel

/// `junit.xml`: a suite for the run, and one per policy; what is undecided is an error, no pass.
///
/// Names are the same in every run, so that their history can be followed; those of a part of a plan
/// differ from those of the merged run.
package enum JUnitXML {
    package static func text(_ run: ReportedRun) -> String {
        let (summary, manifest) = (run.summary, run.manifest)
        return document(
            JUnitSuites(run: run).all,
            facts: [("timestamp", manifest.startedAt), ("hostname", manifest.machine.host)],
            properties: [
                ("run_id", summary.runID), ("seed", "\(summary.seed)"),
                ("plan_digest", manifest.planDigest), ("worker", manifest.worker),
                ("workload", manifest.workload.rawValue), ("fault", manifest.fault.rawValue),
                ("partition", manifest.partition?.text), ("rig", manifest.versions["rig"]),
                ("result", summary.status.shown.word),
                ("exit_code", "\(summary.status.rawValue)"), ("command", summary.command),
            ])
    }

    /// A file of suites, each with these facts (time and host) and properties, as far as known.
    static func document(
        _ suites: [JUnitSuite], facts: [(String, String?)], properties: [(String, String?)]
    ) -> String {
        func sum(_ count: (JUnitSuite) -> Int) -> String { "\(suites.map(count).reduce(0, +))" }
        return XMLTag(
            "testsuites",
            [
                ("name", "rig"), ("tests", sum { $0.cases.count }),
                ("failures", sum { $0.count(.failure) }), ("errors", sum { $0.count(.error) }),
            ], .tags(suites.map { $0.tag(facts: facts, properties: properties) })
        ).document
    }
}

/// `junit.xml` of an audit: a suite per situation; what could not be judged is never a pass.
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
                ("result", report.status.shown.word),
                ("exit_code", "\(report.status.rawValue)"),
            ])
    }

    private static func trouble(_ finding: AuditFinding, _ message: String) -> JUnitCase.Trouble? {
        switch finding.outcome {
        case .sound: return nil
        case .fails(let count, let kills, let reason):
            return JUnitCase.Trouble(
                kind: .failure, type: "kills",
                message: "\(count) of \(kills) kills failed: \(reason)",
                details: [
                    finding.failure?.reason, finding.mistake, "repeat: \(finding.command)",
                    finding.replay.map { "one kill: \($0)" },
                ].compactMap(\.self).joined(separator: "\n"))
        case .notReached, .doesNotApply: return JUnitCase.Trouble(kind: .skipped, message: message)
        case .unknown(let reason), .notTried(let reason):
            return finding.status != .success
                ? JUnitCase.Trouble(
                    kind: .error, type: "undecided", message: message, details: reason)
                : JUnitCase.Trouble(kind: .skipped, message: message)
        }
    }
}
