package import RigModel

/// The output of `rig kill-test --json`: JSON lines, one event each, written during the run.
///
/// `run` is first, `summary` last; a part of a plan, which has no verdict, ends with `part`. Unknown
/// values are `null`, and seeds are strings: many JSON readers have no 64-bit numbers.
package enum RunEvents {
    package static let schema = 1

    package static func run(_ manifest: Manifest, folder: String) -> String {
        let versions = manifest.versions.sorted { $0.key < $1.key }
        return event(
            "run",
            [
                "schema": schema, "run_id": manifest.runID, "folder": folder,
                "started_at": manifest.startedAt, "command": ShellWord.line(manifest.command),
                "seed": "\(manifest.plan.seed)", "plan_digest": manifest.planDigest,
                "partition": manifest.partition?.text, "worker": manifest.worker,
                "workload": manifest.workload.rawValue, "fault": manifest.fault.rawValue,
                "trigger": manifest.plan.trigger.rawValue,
                "policies": manifest.plan.policies.map(\.name),
                "iterations": manifest.iterations, "jobs": manifest.jobs ?? 1,
                "expected_rows": manifest.expectedRows, "gates": manifest.gates,
                "host": manifest.machine.host,
                "versions": JSONValue.object(versions.map { ($0.key, .string($0.value)) }),
            ])
    }

    package static func row(_ row: IterationRow) -> String {
        event("row", of: IterationsCSV.members(row))
    }

    package static func progress(_ state: ProgressState) -> String {
        event(
            "progress",
            [
                "done": state.done, "total": state.total, "policy": state.policy,
                "violations": state.violations,
                "violation_rate_ucb95": state.rateBound?.decimals(6),
                "inconclusive": state.inconclusive,
                "elapsed_seconds": state.elapsedSeconds.decimals(3),
            ])
    }

    package static func conclusion(_ summary: RunSummary) -> [String] {
        summary.gates.map { event("gate", of: SummaryJSON.members(of: $0)) }
            + [event("summary", of: SummaryJSON.members(of: summary))]
    }

    /// The last line of a part of a run; it has all its rows but no verdict.
    package static func part(_ report: PartReport) -> String {
        event(
            "part",
            [
                "schema": schema, "partition": report.partition.text, "folder": report.folder,
                "rows": report.rows, "expected_rows": report.expectedRows,
                "already_there": report.wasThere, "judge": report.judgeCommand,
            ])
    }

    package static func timings(_ timings: RunTimings, summaries: [StageSummary]) -> String {
        event(
            "timings",
            [
                "iterations": timings.iterations.count,
                "elapsed_seconds": timings.elapsed.decimals(6),
                "rig_processor_seconds": timings.rigProcessor.decimals(6),
                "worker_processor_seconds": timings.workerProcessor.decimals(6),
                "stages": summaries.map { stage in
                    JSONValue([
                        "stage": stage.name, "total_seconds": stage.total.decimals(6),
                        "share": stage.share?.decimals(4),
                        "median_seconds": stage.median.decimals(6),
                        "p90_seconds": stage.p90.decimals(6), "max_seconds": stage.max.decimals(6),
                    ])
                },
            ])
    }

    private static func event(
        _ name: String, _ members: KeyValuePairs<String, any JSONWritable>
    ) -> String { event(name, of: JSONValue.members(members)) }

    private static func event(_ name: String, of members: [(String, JSONValue)]) -> String {
        JSONValue.object([("event", .string(name))] + members).line
    }
}
