package import RigModel

/// `audit.json`: what was found in each situation.
package enum AuditJSON {
    package static func text(_ report: AuditReport) -> String {
        JSONValue([
            "schema": 1, "run_id": report.runID, "seed": "\(report.seed)", "worker": report.worker,
            "result": report.status.shown.word, "exit_code": report.status.rawValue,
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
            "failure": finding.failure?.reason,
        ])
    }
}

/// `self-check.json`: the arms without a bug, the null control, and the result for each bug.
package enum SelfCheckJSON {
    package static func text(_ report: SelfCheckReport) -> String {
        JSONValue([
            "schema": 1, "run_id": report.runID, "seed": "\(report.seed)",
            "result": report.status.shown.word, "exit_code": report.status.rawValue,
            "clean_iterations": report.cleanIterations, "clean": report.clean.map(arm),
            "null_control": arm(report.nullControl), "bugs": report.detections.map(bug),
        ]).document
    }

    private static func arm(_ arm: ControlArm) -> JSONValue {
        JSONValue([
            "arm": arm.name, "iterations": arm.iterations, "inconclusive": arm.inconclusive,
            "reported": arm.reports, "failure": arm.failure?.line,
        ])
    }

    private static func bug(_ detection: Detection) -> JSONValue {
        let state: (word: String, why: String) =
            switch detection.state {
            case .caught: ("caught", "")
            case .missed: ("missed", "")
            case .notRun(let why): ("not run", why)
            }
        return JSONValue([
            "bug": detection.bug, "outcome": state.word, "why": state.why,
            "iterations": detection.iterations, "checkers": detection.checkers.map(\.rawValue),
            "reason": detection.reason,
        ])
    }
}

/// Promises and their measurements as JSON: in `summary.json`, and as `documented.json`.
package enum PromiseJSON {
    package static func text(_ report: DocumentedReport) -> String {
        JSONValue([
            "schema": 1, "run_id": report.runID, "seed": "\(report.seed)",
            "result": report.status.shown.word, "exit_code": report.status.rawValue,
            "failures": report.failures.map(\.line), "promises": report.results.map(value),
        ]).document
    }

    static func value(_ result: PromiseResult) -> JSONValue {
        JSONValue([
            "promise": result.promise.id, "text": result.promise.promise,
            "documented": result.promise.documented, "verdict": result.verdict.rawValue,
            "in_full": result.isPartial ? "no" : "yes", "measured": result.measured,
            "not_known_from": result.missing,
            "limits": zip(result.promise.limits, result.readings).map { measured($0, $1) },
        ])
    }

    private static func measured(_ limit: Promise.Limit, _ reading: PromiseReading?) -> JSONValue {
        JSONValue([
            "measure": limit.measure.name, "policy": limit.policy, "at_bytes": limit.at,
            "within_bytes": limit.within, "unit": limit.measure.unit.rawValue,
            "least": limit.least?.decimals(6), "most": limit.most?.decimals(6),
            "measured": reading?.value.decimals(6),
            "broken_by": reading.map { limit.excess(of: $0.value).decimals(6) },
            "n": reading?.n ?? 0, "verdict": reading.map { limit.verdict(of: $0).rawValue },
            "interval_low": reading?.interval?.low?.decimals(6),
            "interval_high": reading?.interval?.high?.decimals(6),
        ])
    }
}
