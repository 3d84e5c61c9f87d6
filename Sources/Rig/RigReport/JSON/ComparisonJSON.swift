package import RigModel

package enum ComparisonJSON {
    package static func text(_ comparison: RunComparison) -> String {
        JSONValue([
            "schema": 1, "level": RunComparison.level.decimals(3), "tests": comparison.tests,
            "notes": comparison.notes, "runs": comparison.runs.map(run),
            "comparisons": comparison.pairs.map { pair($0, comparison) },
        ]).document
    }

    private static func run(_ run: ComparedRun) -> JSONValue {
        JSONValue([
            "name": run.name, "run_id": run.runID, "rows": run.rows,
            "policies": run.policies.map(policy),
        ])
    }

    private static func policy(_ policy: ComparedPolicy) -> JSONValue {
        JSONValue([
            "policy": policy.policy, "threshold_bytes": policy.thresholdBytes, "rows": policy.rows,
            "conclusive": policy.conclusive, "violations": policy.violations,
            "corrupt_bytes": policy.corruptBytes,
            "figures": JSONValue.object(policy.figures.map { ($0.metric.rawValue, figure($0)) }),
        ])
    }

    private static func figure(_ figure: ComparedFigure) -> JSONValue {
        let decimals = figure.metric.decimals
        return JSONValue([
            "figure": figure.metric.figure, "value": figure.value?.decimals(decimals),
            "low95": figure.interval?.low?.decimals(decimals),
            "high95": figure.interval?.high?.decimals(decimals), "n": figure.n,
        ])
    }

    private static func pair(_ pair: ComparedPair, _ comparison: RunComparison) -> JSONValue {
        func side(_ side: ComparedSide) -> JSONValue {
            JSONValue(["run": comparison.runs[side.run].name, "policy": side.policy])
        }
        return JSONValue([
            "base": side(pair.base), "other": side(pair.other), "paired": pair.isPaired,
            "pairs": pair.pairs, "base_left_out": pair.baseLeftOut,
            "other_left_out": pair.otherLeftOut,
            "metrics": JSONValue.object(
                pair.metrics.map { ($0.metric.rawValue, metric((pair, $0))) }),
        ])
    }

    private static func metric(_ row: ComparisonTables.Row) -> JSONValue {
        .object(
            JSONValue.members(["figure": row.metric.metric.figure])
                + ComparisonColumns.all.map { $0.member(row) })
    }
}

package enum HistoryJSON {
    package static func text(_ report: HistoryReport) -> String {
        JSONValue([
            "schema": 1, "runs": report.total, "shown": report.runs.count,
            "series": report.series.map { series($0, report.runs) },
        ]).document
    }

    private static func series(_ series: HistorySeries, _ runs: [HistoryRun]) -> JSONValue {
        JSONValue([
            "job": JSONValue.object(series.job.facts.map { ($0.name, .string($0.value)) }),
            "policy": series.policy, "metric": series.metric.rawValue, "machine": series.machine,
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

    package static func text(
        added words: [(run: String, what: String)], to history: String, total: Int
    ) -> String {
        JSONValue([
            "schema": 1, "history": history,
            "runs": words.map { JSONValue(["run_id": $0.run, "result": $0.what]) }, "total": total,
        ]).document
    }
}
