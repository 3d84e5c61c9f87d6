package import RigModel

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
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let manifest = run.manifest
        return .object([
            ("folder", .string(run.folder)), ("run_id", text(manifest?.runID)),
            ("started_at", text(manifest?.startedAt)), ("worker", text(manifest?.worker)),
            ("workload", text(manifest?.workload.rawValue)),
            ("fault", text(manifest?.fault.rawValue)),
            ("seed", text(manifest.map { "\($0.plan.seed)" })),
            ("rows", .integer(Int64(run.rows))),
            ("expected_rows", manifest.map { .integer(Int64($0.expectedRows)) } ?? .null),
            ("exit_code", run.status.map { .integer(Int64($0.rawValue)) } ?? .null),
            ("reason", text(run.reason)), ("running", .boolean(run.isRunning)),
        ])
    }
}
