package import RigModel

/// What `rig explain --json` prints.
package enum ExplanationJSON {
    package static func text(_ explanation: Explanation) -> String {
        let rest: [(String, JSONValue)] = [
            ("rule", .string(explanation.rule)),
            ("calls", .array(explanation.calls.map(call))),
            ("cures", .array(explanation.cures.map(cure))),
            ("failing_states", .integer(explanation.states)),
            ("other_cures_tried", .integer(explanation.tried)),
            ("states_tried", .integer(explanation.probes.all)),
            ("states_undecided", .integer(explanation.probes.undecided)),
            ("carried_out", explanation.trial.map(trial) ?? .null),
            ("unsynced", .array(explanation.unsynced.map(unsynced))),
            (
                "read_first",
                explanation.readFirst.map { JSONValue.array($0.map { .string($0) }) } ?? .null
            ),
            ("notes", .array(explanation.notes.map { .string($0) })),
            ("result", .string(StatusText.word(explanation.status))),
            ("exit_code", .integer(Int64(explanation.status.rawValue))),
        ]
        return JSONValue.object(explanation.kill.members + rest).document
    }

    private static func call(_ call: Explanation.Call) -> JSONValue {
        .object([
            ("number", call.number.map { .integer($0) } ?? .null),
            ("call", .string(call.words)),
            ("thread", .integer(Int64(call.threadID))),
            ("fate", .string(call.fate)),
            ("syncs", .string(call.syncs)),
            (
                "stack",
                .array(
                    call.stack.map { frame in
                        .object([
                            ("address", .string(frame.address)),
                            ("symbol", frame.symbol.map { .string($0) } ?? .null),
                        ])
                    })
            ),
        ])
    }

    private static func cure(_ cure: Explanation.Cure) -> JSONValue {
        .object([
            ("cure", .string(cure.words)),
            ("syncs", .integer(cure.syncs.count)),
            ("passes", .integer(cure.mended)),
        ])
    }

    private static func trial(_ trial: Explanation.Trial) -> JSONValue {
        .object([
            ("passed", .integer(trial.passed)),
            ("failed", .integer(trial.failed)),
            ("inconclusive", .integer(trial.inconclusive)),
        ])
    }

    private static func unsynced(_ file: UnsyncedFileFacts) -> JSONValue {
        .object([
            ("path", .string(file.path)),
            ("operations", .integer(file.operations)),
            ("bytes", .integer(file.bytes)),
        ])
    }
}
