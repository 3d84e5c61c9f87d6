package import RigModel

/// The output of `rig list --json`.
package enum RunsJSON {
    package static func text(_ runs: [RunListing]) -> String {
        JSONValue.object([
            ("schema", .integer(1)), ("runs", .array(runs.map(run))),
        ]).document
    }

    private static func run(_ run: RunListing) -> JSONValue {
        let manifest = run.manifest
        return .object([
            ("folder", .string(run.folder)), ("run_id", .string(manifest?.runID)),
            ("started_at", .string(manifest?.startedAt)), ("worker", .string(manifest?.worker)),
            ("workload", .string(manifest?.workload.rawValue)),
            ("fault", .string(manifest?.fault.rawValue)),
            ("seed", .string(manifest.map { "\($0.plan.seed)" })),
            ("rows", .integer(run.rows)),
            ("expected_rows", .integer(manifest?.expectedRows)),
            ("exit_code", .integer(run.status.map { Int64($0.rawValue) })),
            ("reason", .string(run.reason)), ("running", .boolean(run.isRunning)),
        ])
    }
}
