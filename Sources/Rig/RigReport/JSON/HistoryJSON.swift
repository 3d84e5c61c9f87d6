package import RigModel

/// What `rig history --json` prints.
package enum HistoryJSON {
    /// The output of `rig history page --json`.
    package static func text(_ report: HistoryReport) -> String {
        JSONValue([
            "schema": 1, "runs": report.total, "shown": report.runs.count,
            "series": report.series.map { series($0, report.runs) },
        ]).document
    }

    private static func series(_ series: HistorySeries, _ runs: [HistoryRun]) -> JSONValue {
        JSONValue([
            "job": JSONValue.object(series.job.facts.map { ($0.name, .string($0.value)) }),
            "policy": series.policy, "metric": series.metric.rawValue,
            "points": series.points.map { point -> JSONValue in
                let run = runs[point.run]
                return JSONValue([
                    "run_id": run.runID, "started_at": run.startedAt, "commit": run.commit,
                    "value": point.value.decimals(6),
                ])
            },
            "changes": series.changes.map { change -> JSONValue in
                let run = runs[series.points[change.point].run]
                return JSONValue([
                    "point": change.point, "run_id": run.runID, "commit": run.commit,
                    "verdict": change.isWorse ? "worse" : "better",
                    "before": change.before.decimals(6), "after": change.after.decimals(6),
                    "p_value": JSONValue.probability(change.pValue), "company": change.company,
                ])
            },
        ])
    }

    /// The output of `rig history add --json` and `rig history merge --json`.
    package static func text(
        added words: [(run: String, what: String)], to history: String, total: Int
    ) -> String {
        JSONValue([
            "schema": 1, "history": history,
            "runs": words.map { JSONValue(["run_id": $0.run, "result": $0.what]) },
            "total": total,
        ]).document
    }
}
