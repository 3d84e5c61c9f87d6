package import RigModel

/// What `rig explain --json` prints.
package enum ExplanationJSON {
    package static func text(_ explanation: Explanation) -> String {
        let rest = JSONValue.members([
            "rule": explanation.rule, "calls": explanation.calls.map(call),
            "cures": explanation.cures.map { cure in
                JSONValue([
                    "cure": cure.words, "syncs": cure.syncs.count, "passes": cure.mended,
                ])
            },
            "failing_states": explanation.states, "other_cures_tried": explanation.tried,
            "states_tried": explanation.probes.all,
            "states_undecided": explanation.probes.undecided,
            "carried_out": explanation.trial.map { trial in
                JSONValue([
                    "passed": trial.passed, "failed": trial.failed,
                    "inconclusive": trial.inconclusive,
                ])
            },
            "unsynced": explanation.unsynced.map { file in
                JSONValue([
                    "path": file.path, "operations": file.operations, "bytes": file.bytes,
                ])
            },
            "read_first": explanation.readFirst, "notes": explanation.notes,
            "result": StatusText.word(explanation.status),
            "exit_code": explanation.status.rawValue,
        ])
        return JSONValue.object(explanation.kill.members + rest).document
    }

    private static func call(_ call: Explanation.Call) -> JSONValue {
        JSONValue([
            "number": call.number, "call": call.words, "thread": call.threadID,
            "fate": call.fate, "syncs": call.syncs,
            "stack": call.stack.map { frame in
                JSONValue(["address": frame.address, "symbol": frame.symbol])
            },
        ])
    }
}
