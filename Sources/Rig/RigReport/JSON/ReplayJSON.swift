package import RigModel

/// The results of a replay as JSON: the counts, and the kill that they describe.
package enum ReplayJSON {
    package static func text(_ summary: ReplaySummary) -> String {
        let kill = summary.kill
        let tally = summary.tally
        let planned = kill.planned.kills[kill.kill - 1]
        let determinism = Determinism(kill)
        let rest: [(String, JSONValue)] = [
            ("trigger", .string(planned.trigger.kind.rawValue)),
            ("planned", .string(planned.trigger.planned)),
            ("seed", .string(String(kill.planned.seed))),
            ("verdict_in_run", .string(kill.verdict.rawValue)),
            ("reason_in_run", .string(kill.reason)),
            ("times", .integer(tally.times)),
            ("reproduced", .integer(tally.reproduced)),
            ("failed_otherwise", .array(ReplayText.sorted(tally.otherwise).map(otherwise))),
            ("passed", .integer(tally.passed)),
            ("inconclusive", .integer(tally.provedNothing)),
            ("deterministic", .array(determinism.fixed.map { .string($0) })),
            ("not_deterministic", .array(determinism.free.map { .string($0) })),
            ("notes", .array(summary.notes.map { .string($0) })),
            ("shrunk", summary.shrunk.map(shrunk) ?? .null),
            ("result", .string(StatusText.word(summary.status))),
            ("exit_code", .integer(Int64(summary.status.rawValue))),
        ]
        return JSONValue.object(kill.members + rest).document
    }

    private static func otherwise(_ checkers: Set<Checker>, _ count: Int) -> JSONValue {
        let named = Checker.allCases.filter(checkers.contains)
        return .object([
            ("checkers", .array(named.map { .string($0.rawValue) })),
            ("times", .integer(count)),
        ])
    }

    private static func shrunk(_ shrunk: ShrunkKill) -> JSONValue {
        .object([
            (
                "changes",
                shrunk.changes.table([
                    .text("name") { .string($0.name) }, .text("before") { .string($0.before) },
                    .text("after") { .string($0.after) },
                ]).objects
            ),
            ("candidates", .integer(shrunk.candidates)),
            ("tries", .integer(shrunk.tries)),
            ("is_minimal", .boolean(shrunk.isMinimal)),
            ("command", .string(shrunk.command)),
        ])
    }
}

extension StoredKill {
    /// What each document about a kill of a run begins with.
    var members: [(String, JSONValue)] {
        [
            ("schema", .integer(1)),
            ("run_id", .string(manifest.runID)),
            ("policy", .string(planned.policy.name)),
            ("iteration", .integer(planned.iteration)),
            ("kill", .integer(kill)),
            ("fault", .string(manifest.fault.rawValue)),
            ("checkers", .array(checkers.map { .string($0.rawValue) })),
        ]
    }
}
