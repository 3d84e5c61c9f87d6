package import RigModel

/// Promises and their measurements as JSON: in `summary.json`, and as `documented.json`.
package enum PromiseJSON {
    /// The whole of `documented.json`; keys always come in the same order.
    package static func text(_ report: DocumentedReport) -> String {
        JSONValue([
            "schema": 1, "run_id": report.runID, "seed": "\(report.seed)",
            "result": StatusText.word(report.status), "exit_code": report.status.rawValue,
            "failures": report.failures.map(\.line), "promises": report.results.map(value),
        ]).document
    }

    static func value(_ result: PromiseResult) -> JSONValue {
        JSONValue([
            "promise": result.promise.id, "text": result.promise.promise,
            "documented": result.promise.documented, "verdict": result.verdict.rawValue,
            "in_full": result.isPartial ? "no" : "yes", "measured": result.measured,
            "not_known_from": result.missing,
            "limits": zip(result.promise.limits, result.readings).map { measured($0, $1) },
        ])
    }

    private static func measured(
        _ limit: Promise.Limit, _ reading: PromiseReading?
    ) -> JSONValue {
        JSONValue([
            "measure": limit.measure.name, "policy": limit.policy, "at_bytes": limit.at,
            "within_bytes": limit.within, "unit": limit.measure.unit.rawValue,
            "least": limit.least?.decimals(6), "most": limit.most?.decimals(6),
            "measured": reading?.value.decimals(6),
            "broken_by": reading.map { limit.excess(of: $0.value).decimals(6) },
            "n": reading?.n ?? 0, "verdict": reading.map { limit.verdict(of: $0).rawValue },
            "interval_low": reading?.interval?.low?.decimals(6),
            "interval_high": reading?.interval?.high?.decimals(6),
        ])
    }
}
