package import RigModel

/// Promises and their measurements as JSON: in `summary.json`, and as `documented.json`.
package enum PromiseJSON {
    /// The whole of `documented.json`; keys always come in the same order.
    package static func text(_ report: DocumentedReport) -> String {
        JSONValue.object([
            ("schema", .integer(1)),
            ("run_id", .string(report.runID)),
            ("seed", .string(String(report.seed))),
            ("result", .string(StatusText.word(report.status))),
            ("exit_code", .integer(Int64(report.status.rawValue))),
            ("failures", .array(report.failures.map { .string($0.line) })),
            ("promises", .array(report.results.map(value))),
        ]).document
    }

    static func value(_ result: PromiseResult) -> JSONValue {
        let limits = zip(result.promise.limits, result.readings).map { limit, reading in
            JSONValue.object([
                ("measure", .string(limit.measure.name)),
                ("policy", .string(limit.policy)),
                ("at_bytes", .integer(limit.at)),
                ("within_bytes", .integer(limit.within)),
                ("unit", .string(limit.measure.unit.rawValue)),
                ("least", .decimal(limit.least, 6)),
                ("most", .decimal(limit.most, 6)),
                ("measured", .decimal(reading?.value, 6)),
                ("broken_by", .decimal(reading.map { limit.excess(of: $0.value) }, 6)),
                ("n", .integer(reading?.n ?? 0)),
                ("verdict", .string(reading.map { limit.verdict(of: $0).rawValue })),
                ("interval_low", .decimal(reading?.interval?.low, 6)),
                ("interval_high", .decimal(reading?.interval?.high, 6)),
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
}
