package import RigModel

/// `self-check.json`: the arms without a bug, the null control, and the result for each bug.
package enum SelfCheckJSON {
    package static func text(_ report: SelfCheckReport) -> String {
        JSONValue.object([
            ("schema", .integer(1)),
            ("run_id", .string(report.runID)),
            ("seed", .string(String(report.seed))),
            ("result", .string(StatusText.word(report.status))),
            ("exit_code", .integer(Int64(report.status.rawValue))),
            ("clean_iterations", .integer(report.cleanIterations)),
            ("clean", .array(report.clean.map(arm))),
            ("null_control", arm(report.nullControl)),
            ("bugs", .array(report.detections.map(bug))),
        ]).document
    }

    private static func arm(_ arm: ControlArm) -> JSONValue {
        .object([
            ("arm", .string(arm.name)),
            ("iterations", .integer(arm.iterations)),
            ("inconclusive", .integer(arm.inconclusive)),
            ("reported", .array(arm.reports.map { .string($0) })),
            ("failure", .string(arm.failure?.line)),
        ])
    }

    private static func bug(_ detection: Detection) -> JSONValue {
        let state: (word: String, why: String) =
            switch detection.state {
            case .caught: ("caught", "")
            case .missed: ("missed", "")
            case .notRun(let why): ("not run", why)
            }
        return .object([
            ("bug", .string(detection.bug)),
            ("outcome", .string(state.word)),
            ("why", .string(state.why)),
            ("iterations", .integer(detection.iterations)),
            ("checkers", .array(detection.checkers.map { .string($0.rawValue) })),
            ("reason", .string(detection.reason)),
        ])
    }
}
