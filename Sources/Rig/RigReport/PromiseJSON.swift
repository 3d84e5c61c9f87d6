package import RigModel

/// Promises and their measurements as JSON: in `summary.json`, and as `documented.json`.
package enum PromiseJSON {
    /// The version of the document.
    package static let schema = 1

    /// The whole of `documented.json`; keys always come in the same order.
    package static func text(_ report: DocumentedReport) -> String {
        JSONValue.object([
            ("schema", .integer(Int64(schema))),
            ("run_id", .string(report.runID)),
            ("seed", .string(String(report.seed))),
            ("result", .string(StatusText.word(report.status))),
            ("exit_code", .integer(Int64(report.status.rawValue))),
            ("failures", .array(report.failures.map { .string($0.line) })),
            ("promises", .array(report.results.map(value))),
        ]).document
    }

    /// One promise.
    static func value(_ result: PromiseResult) -> JSONValue {
        let limits = zip(result.promise.limits, result.readings).map { limit, reading in
            JSONValue.object([
                ("measure", .string(limit.measure.rawValue)),
                ("policy", limit.policy.map { .string($0) } ?? .null),
                ("at_bytes", limit.at.map { .integer($0) } ?? .null),
                ("unit", .string(limit.measure.unit.rawValue)),
                ("least", number(limit.least)),
                ("most", number(limit.most)),
                ("measured", number(reading?.value)),
                ("broken_by", number(reading.map { limit.excess(of: $0.value) })),
                ("n", .integer(Int64(reading?.n ?? 0))),
                ("verdict", reading.map { .string(limit.verdict(of: $0).rawValue) } ?? .null),
                ("interval_low", number(reading?.interval?.low)),
                ("interval_high", number(reading?.interval?.high)),
            ])
        }
        return .object([
            ("promise", .string(result.promise.id)),
            ("text", .string(result.promise.promise)),
            ("documented", .string(result.promise.documented)),
            ("verdict", .string(result.verdict.rawValue)),
            ("in_full", .string(result.isPartial ? "no" : "yes")),
            ("measured", .string(result.measured)),
            ("not_known_from", .array(result.missing.map { .string($0) })),
            ("limits", .array(limits)),
        ])
    }

    private static func number(_ value: Double?) -> JSONValue {
        value.map { .decimal($0, 6) } ?? .null
    }
}
