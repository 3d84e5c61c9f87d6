package import RigModel

/// The output of `rig compare --json`.
package enum ComparisonJSON {
    /// The version of the document.
    package static let schema = 1

    /// The whole document; the order of keys is fixed.
    package static func text(_ comparison: RunComparison) -> String {
        JSONValue.object([
            ("schema", .integer(Int64(schema))),
            ("level", .decimal(RunComparison.level, 3)),
            ("tests", .integer(Int64(comparison.tests))),
            ("notes", .array(comparison.notes.map { .string($0) })),
            ("runs", .array(comparison.runs.map(run))),
            ("comparisons", .array(comparison.pairs.map { pair($0, comparison) })),
        ]).document
    }

    private static func run(_ run: ComparedRun) -> JSONValue {
        .object([
            ("name", .string(run.name)),
            ("run_id", .string(run.runID)),
            ("rows", .integer(Int64(run.rows))),
            ("policies", .array(run.policies.map(policy))),
        ])
    }

    private static func policy(_ policy: ComparedPolicy) -> JSONValue {
        .object([
            ("policy", .string(policy.policy)),
            ("threshold_bytes", policy.thresholdBytes.map { .integer($0) } ?? .null),
            ("rows", .integer(Int64(policy.rows))),
            ("conclusive", .integer(Int64(policy.conclusive))),
            ("violations", .integer(Int64(policy.violations))),
            ("corrupt_bytes", policy.corruptBytes.map { .integer($0) } ?? .null),
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
            ("value", JSONValue(.decimal(figure.value, decimals))),
            ("low95", JSONValue(.decimal(figure.interval?.low, decimals))),
            ("high95", JSONValue(.decimal(figure.interval?.high, decimals))),
            ("n", .integer(Int64(figure.n))),
        ])
    }

    private static func pair(_ pair: ComparedPair, _ comparison: RunComparison) -> JSONValue {
        .object([
            ("base", side(pair.base, comparison)),
            ("other", side(pair.other, comparison)),
            ("paired", .boolean(pair.isPaired)),
            ("pairs", pair.pairs.map { .integer(Int64($0)) } ?? .null),
            ("base_left_out", .integer(Int64(pair.baseLeftOut))),
            ("other_left_out", .integer(Int64(pair.otherLeftOut))),
            (
                "metrics",
                .object(
                    pair.metrics.map { metric in
                        (
                            metric.metric.rawValue,
                            .object(
                                [("figure", .string(metric.metric.figure))]
                                    + ComparisonValues.of(metric).map {
                                        ($0.name, JSONValue($0.value))
                                    }
                            )
                        )
                    })
            ),
        ])
    }

    private static func side(_ side: ComparedSide, _ comparison: RunComparison) -> JSONValue {
        .object([
            ("run", .string(comparison.runs[side.run].name)),
            ("policy", .string(side.policy)),
        ])
    }
}
