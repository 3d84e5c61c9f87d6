package import RigModel

/// `self-check.json`: the arms without a bug, the null control, and the result for each bug.
package enum SelfCheckJSON {
    package static func text(_ report: SelfCheckReport) -> String {
        JSONValue([
            "schema": 1, "run_id": report.runID, "seed": "\(report.seed)",
            "result": StatusText.word(report.status), "exit_code": report.status.rawValue,
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
