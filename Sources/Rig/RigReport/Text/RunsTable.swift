package import RigModel

/// The output of `rig list`: the stored runs, and what each came to.
package enum RunsTable {
    /// The whole text, each line including its line end.
    package static func text(_ runs: [RunListing]) -> String {
        let rows = runs.map { run in
            [
                run.folder, time(run.manifest.startedAt),
                run.status.map(VerdictHeadline.word) ?? "UNREADABLE", run.manifest.worker,
                run.manifest.workload.rawValue, run.manifest.fault.rawValue,
                count(run),
            ]
        }
        let titles = ["run", "started", "verdict", "worker", "workload", "fault", "rows"]
        return TextGrid.lines(titles, rows, numbers: [6]).joined(separator: "\n") + "\n"
    }

    private static func count(_ run: RunListing) -> String {
        let expected = run.manifest.expectedRows
        return run.rows == expected ? "\(expected)" : "\(run.rows) of \(expected)"
    }

    /// `2026-11-24 10:41` of `2026-11-24T10:41:30Z`.
    private static func time(_ stamp: String) -> String {
        String(stamp.prefix(16)).replacing("T", with: " ")
    }
}

/// The output of `rig list --json`.
package enum RunsJSON {
    /// The version of the document.
    package static let schema = 1

    /// The whole document; keys always come in the same order.
    package static func text(_ runs: [RunListing]) -> String {
        JSONValue.object([
            ("schema", .integer(Int64(schema))), ("runs", .array(runs.map(run))),
        ]).document
    }

    private static func run(_ run: RunListing) -> JSONValue {
        .object([
            ("folder", .string(run.folder)), ("run_id", .string(run.manifest.runID)),
            ("started_at", .string(run.manifest.startedAt)),
            ("worker", .string(run.manifest.worker)),
            ("workload", .string(run.manifest.workload.rawValue)),
            ("fault", .string(run.manifest.fault.rawValue)),
            ("seed", .string("\(run.manifest.plan.seed)")), ("rows", .integer(Int64(run.rows))),
            ("expected_rows", .integer(Int64(run.manifest.expectedRows))),
            ("exit_code", run.status.map { .integer(Int64($0.rawValue)) } ?? .null),
            ("reason", run.reason.map { .string($0) } ?? .null),
        ])
    }
}
