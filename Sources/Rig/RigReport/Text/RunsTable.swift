package import RigModel

/// The output of `rig list`: the stored runs, and what each came to.
package enum RunsTable {
    package static func text(_ runs: [RunListing]) -> String {
        runs.table([
            .text("run") { .string($0.folder) },
            .text("started") { .string(($0.manifest?.startedAt).map(HistoryTables.time)) },
            .text("verdict") { .string(word($0)) },
            .text("worker") { .string($0.manifest?.worker) },
            .text("workload") { .string($0.manifest?.workload.rawValue) },
            .text("fault") { .string($0.manifest?.fault.rawValue) },
            .number("rows") { .string(count($0)) },
        ]).text
    }

    /// The verdict, or why there is none.
    private static func word(_ run: RunListing) -> String {
        if run.isRunning { return "RUNNING" }
        if let status = run.status { return VerdictHeadline.word(status) }
        guard run.manifest != nil else { return "UNREADABLE" }
        return run.isPart ? "PART" : "NOT JUDGED"
    }

    private static func count(_ run: RunListing) -> String? {
        guard let expected = run.manifest?.expectedRows else { return nil }
        return run.rows == expected ? "\(expected)" : "\(run.rows) of \(expected)"
    }
}

/// The output of `rig list --json`.
package enum RunsJSON {
    package static func text(_ runs: [RunListing]) -> String {
        JSONValue(["schema": 1, "runs": runs.map(run)]).document
    }

    private static func run(_ run: RunListing) -> JSONValue {
        let manifest = run.manifest
        return JSONValue([
            "folder": run.folder, "run_id": manifest?.runID, "started_at": manifest?.startedAt,
            "worker": manifest?.worker, "workload": manifest?.workload.rawValue,
            "fault": manifest?.fault.rawValue, "seed": manifest.map { "\($0.plan.seed)" },
            "rows": run.rows, "expected_rows": manifest?.expectedRows,
            "exit_code": run.status?.rawValue, "reason": run.reason, "running": run.isRunning,
        ])
    }
}
