package import RigModel

package enum ReplayJSON {
    package static func text(_ summary: ReplaySummary) -> String {
        let (kill, tally) = (summary.kill, summary.tally)
        let planned = kill.planned.kills[kill.kill - 1]
        let determinism = Determinism(kill)
        let rest = JSONValue.members([
            "trigger": planned.trigger.kind.rawValue, "planned": planned.trigger.planned,
            "seed": "\(kill.planned.seed)", "verdict_in_run": kill.verdict.rawValue,
            "reason_in_run": kill.reason, "times": tally.times, "reproduced": tally.reproduced,
            "failed_otherwise": ReplayText.sorted(tally.otherwise).map { checkers, count in
                JSONValue([
                    "checkers": Checker.allCases.filter(checkers.contains).map(\.rawValue),
                    "times": count,
                ])
            },
            "passed": tally.passed, "inconclusive": tally.provedNothing,
            "deterministic": determinism.fixed, "not_deterministic": determinism.free,
            "notes": summary.notes, "shrunk": summary.shrunk.map(shrunk),
            "result": summary.status.shown.word, "exit_code": summary.status.rawValue,
        ])
        return JSONValue.object(kill.members + rest).document
    }

    private static func shrunk(_ shrunk: ShrunkKill) -> JSONValue {
        JSONValue([
            "changes": shrunk.changes.map { change in
                JSONValue(["name": change.name, "before": change.before, "after": change.after])
            },
            "candidates": shrunk.candidates, "tries": shrunk.tries,
            "is_minimal": shrunk.isMinimal, "command": shrunk.command,
        ])
    }
}

extension StoredKill {
    /// What each document about a kill of a run begins with.
    var members: [(String, JSONValue)] {
        JSONValue.members([
            "schema": 1, "run_id": manifest.runID, "policy": planned.policy.name,
            "iteration": planned.iteration, "kill": kill, "fault": manifest.fault.rawValue,
            "checkers": checkers.map(\.rawValue),
        ])
    }
}

package enum ExplanationJSON {
    package static func text(_ explanation: Explanation) -> String {
        let rest = JSONValue.members([
            "rule": explanation.rule, "calls": explanation.calls.map(call),
            "cures": explanation.cures.map { cure in
                JSONValue(["cure": cure.words, "syncs": cure.syncs.count, "passes": cure.mended])
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
                JSONValue(["path": file.path, "operations": file.operations, "bytes": file.bytes])
            },
            "read_first": explanation.readFirst, "notes": explanation.notes,
            "result": explanation.status.shown.word, "exit_code": explanation.status.rawValue,
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
