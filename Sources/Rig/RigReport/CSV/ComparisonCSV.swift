package import RigModel

/// A comparison as CSV: a row per pair of sides and metric.
///
/// `base`, `other`, `difference` and the interval are in the metric's unit: percent, bytes,
/// seconds, or bytes per second. An empty field means unknown.
package enum ComparisonCSV {
    package static func text(_ comparison: RunComparison) -> String {
        let rows = ComparisonTables.rows(comparison)
        guard !rows.isEmpty else { return "" }
        let figure: [Table.Column<ComparisonTables.Row>] = [
            .text("metric") { .string($0.metric.metric.rawValue) },
            .text("figure") { .string($0.metric.metric.figure) },
        ]
        return rows.table(sides(comparison) + figure + ComparisonColumns.all).csv
    }

    private static func sides(
        _ comparison: RunComparison
    ) -> [Table.Column<ComparisonTables.Row>] {
        [
            .count("schema") { _ in 1 },
            .word("base_run") { comparison.runs[$0.pair.base.run].name },
            .word("base_policy") { $0.pair.base.policy },
            .word("other_run") { comparison.runs[$0.pair.other.run].name },
            .word("other_policy") { $0.pair.other.policy },
            .text("paired") { .boolean($0.pair.isPaired) },
            .number("base_violations") { .integer(comparison.policy($0.pair.base)?.violations) },
            .number("other_violations") { .integer(comparison.policy($0.pair.other)?.violations) },
            .number("base_corrupt_bytes") {
                .integer(comparison.policy($0.pair.base)?.corruptBytes)
            },
            .number("other_corrupt_bytes") {
                .integer(comparison.policy($0.pair.other)?.corruptBytes)
            },
        ]
    }
}

/// A metric's figures in a comparison, by their names in CSV and JSON.
enum ComparisonColumns {
    /// Seconds have six decimals, p values nine, or three significant digits if that is more.
    static var all: [Table.Column<ComparisonTables.Row>] {
        func figure(
            _ name: String, _ value: @escaping (MetricComparison) -> Double?
        ) -> Table.Column<ComparisonTables.Row> {
            .number(name) { .decimal(value($0.metric), $0.metric.metric.decimals) }
        }
        return [
            figure("base", \.base), figure("other", \.other),
            .count("base_n") { $0.metric.baseCount }, .count("other_n") { $0.metric.otherCount },
            .count("unknown_rows") { $0.metric.unknownRows },
            figure("difference", \.difference), figure("difference_low95", \.interval?.low),
            figure("difference_high95", \.interval?.high),
            .percent("change_percent") { $0.metric.changePercent },
            .percent("drift_percent") { 100 * $0.metric.drift },
            .number("p_value") { .probability($0.metric.pValue) },
            .number("p_adjusted") { .probability($0.metric.adjustedPValue) },
            .text("verdict") { .string($0.metric.verdict.rawValue) },
            .number("needed") { .integer($0.metric.needed) },
        ]
    }
}

extension ComparedMetric {
    var decimals: Int {
        switch self {
        case .lossPercent, .writesPerMB: 3
        case .lostBytes, .refetchedBytes, .writtenPerMB: 1
        case .recoverySeconds, .resumeSeconds, .processorSecondsPerMB: 6
        }
    }
}

extension RunComparison {
    /// The figures of a side; nil when its run does not have it.
    func policy(_ side: ComparedSide) -> ComparedPolicy? {
        runs[side.run].policies.first { $0.policy == side.policy }
    }
}
