package import RigModel

/// The output of `rig compare --json`.
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
            "figures": JSONValue.object(
                policy.figures.map { ($0.metric.rawValue, figure($0)) }),
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
