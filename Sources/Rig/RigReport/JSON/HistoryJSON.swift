package import RigModel

/// The output of `rig history page --json`.
package enum HistoryJSON {
    package static func text(_ report: HistoryReport) -> String {
        JSONValue.object([
            ("schema", .integer(1)), ("runs", .integer(report.total)),
            ("shown", .integer(report.runs.count)),
            ("series", .array(report.series.map { series($0, report.runs) })),
        ]).document
    }

    private static func series(_ series: HistorySeries, _ runs: [HistoryRun]) -> JSONValue {
        .object([
            ("job", .object(series.job.facts.map { ($0.name, .string($0.value)) })),
            ("policy", .string(series.policy)), ("metric", .string(series.metric.rawValue)),
            (
                "points",
                .array(
                    series.points.map { point in
                        .object([
                            ("run_id", .string(runs[point.run].runID)),
                            ("started_at", .string(runs[point.run].startedAt)),
                            ("commit", .string(runs[point.run].commit)),
                            ("value", .decimal(point.value, 6)),
                        ])
                    })
            ),
            (
                "changes",
                .array(
                    series.changes.map { change in
                        let run = runs[series.points[change.point].run]
                        return .object([
                            ("point", .integer(change.point)), ("run_id", .string(run.runID)),
                            ("commit", .string(run.commit)),
                            ("verdict", .string(change.isWorse ? "worse" : "better")),
                            ("before", .decimal(change.before, 6)),
                            ("after", .decimal(change.after, 6)),
                            ("p_value", .probability(change.pValue)),
                            ("company", .array(change.company.map { .string($0) })),
                        ])
                    })
            ),
        ])
    }
}

extension HistoryJSON {
    /// The output of `rig history add --json` and `rig history merge --json`.
    package static func text(
        added words: [(run: String, what: String)], to history: String, total: Int
    ) -> String {
        JSONValue.object([
            ("schema", .integer(1)), ("history", .string(history)),
            (
                "runs",
                .array(
                    words.map {
                        .object([("run_id", .string($0.run)), ("result", .string($0.what))])
                    })
            ),
            ("total", .integer(total)),
        ]).document
    }
}
