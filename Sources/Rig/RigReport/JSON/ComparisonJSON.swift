package import RigModel

/// The output of `rig compare --json`.
package enum ComparisonJSON {
    package static func text(_ comparison: RunComparison) -> String {
        JSONValue.object([
            ("schema", .integer(1)),
            ("level", .decimal(RunComparison.level, 3)),
            ("tests", .integer(comparison.tests)),
            ("notes", .array(comparison.notes.map { .string($0) })),
            ("runs", .array(comparison.runs.map(run))),
            ("comparisons", .array(comparison.pairs.map { pair($0, comparison) })),
        ]).document
    }

    private static func run(_ run: ComparedRun) -> JSONValue {
        .object([
            ("name", .string(run.name)),
            ("run_id", .string(run.runID)),
            ("rows", .integer(run.rows)),
            ("policies", .array(run.policies.map(policy))),
        ])
    }

    private static func policy(_ policy: ComparedPolicy) -> JSONValue {
        .object([
            ("policy", .string(policy.policy)),
            ("threshold_bytes", .integer(policy.thresholdBytes)),
            ("rows", .integer(policy.rows)),
            ("conclusive", .integer(policy.conclusive)),
            ("violations", .integer(policy.violations)),
            ("corrupt_bytes", .integer(policy.corruptBytes)),
            (
                "figures",
                .object(policy.figures.map { ($0.metric.rawValue, figure($0)) })
            ),
        ])
    }

    private static func figure(_ figure: ComparedFigure) -> JSONValue {
        let decimals = figure.metric.decimals
        return .object([
            ("figure", .string(figure.metric.figure)),
            ("value", .decimal(figure.value, decimals)),
            ("low95", .decimal(figure.interval?.low, decimals)),
            ("high95", .decimal(figure.interval?.high, decimals)),
            ("n", .integer(figure.n)),
        ])
    }

    private static func pair(_ pair: ComparedPair, _ comparison: RunComparison) -> JSONValue {
        .object([
            ("base", side(pair.base, comparison)),
            ("other", side(pair.other, comparison)),
            ("paired", .boolean(pair.isPaired)),
            ("pairs", .integer(pair.pairs)),
            ("base_left_out", .integer(pair.baseLeftOut)),
            ("other_left_out", .integer(pair.otherLeftOut)),
            (
                "metrics",
                .object(pair.metrics.map { ($0.metric.rawValue, metric((pair, $0))) })
            ),
        ])
    }

    private static func metric(_ row: ComparisonTables.Row) -> JSONValue {
        .object(
            [("figure", .string(row.metric.metric.figure))]
                + ComparisonColumns.all.map { $0.member(row) })
    }

    private static func side(_ side: ComparedSide, _ comparison: RunComparison) -> JSONValue {
        .object([
            ("run", .string(comparison.runs[side.run].name)),
            ("policy", .string(side.policy)),
        ])
    }
}
