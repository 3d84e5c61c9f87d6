package import RigModel

/// A comparison as CSV: a row per pair of sides and metric.
///
/// `base`, `other`, `difference` and the interval are in the metric's unit: percent, bytes,
/// seconds, or bytes per second. An empty field means unknown.
package enum ComparisonCSV {
    /// The version of the columns.
    package static let schema = 1

    /// The whole text.
    package static func text(_ comparison: RunComparison) -> String {
        let rows = comparison.pairs.flatMap { pair in
            pair.metrics.map { values(pair, $0, comparison) }
        }
        let header = rows.first.map { CSVWriter.line($0.map(\.name)) } ?? ""
        return header + rows.map { CSVWriter.line($0.map(\.value.field)) }.joined()
    }

    private typealias Column = (name: String, value: ReportValue)

    private static func values(
        _ pair: ComparedPair, _ metric: MetricComparison, _ comparison: RunComparison
    ) -> [Column] {
        sides(pair, comparison) + [
            ("metric", .text(metric.metric.rawValue)),
            ("figure", .text(metric.metric.figure)),
        ] + ComparisonValues.of(metric)
    }

    private static func sides(_ pair: ComparedPair, _ comparison: RunComparison) -> [Column] {
        let base = comparison.policy(pair.base)
        let other = comparison.policy(pair.other)
        return [
            ("schema", .integer(schema)),
            ("base_run", .text(comparison.runs[pair.base.run].name)),
            ("base_policy", .text(pair.base.policy)),
            ("other_run", .text(comparison.runs[pair.other.run].name)),
            ("other_policy", .text(pair.other.policy)),
            ("paired", .text(pair.isPaired ? "true" : "false")),
            ("base_violations", base.map { .integer($0.violations) } ?? .missing),
            ("other_violations", other.map { .integer($0.violations) } ?? .missing),
            ("base_corrupt_bytes", .integer(base?.corruptBytes)),
            ("other_corrupt_bytes", .integer(other?.corruptBytes)),
        ]
    }
}

/// A metric's figures in a comparison, by their names in CSV and JSON.
enum ComparisonValues {
    /// Names and values, in order; seconds have six decimals, p values nine, or three significant
    /// digits if that is more.
    static func of(_ metric: MetricComparison) -> [(name: String, value: ReportValue)] {
        let decimals = metric.metric.decimals
        return [
            ("base", .decimal(metric.base, decimals)),
            ("other", .decimal(metric.other, decimals)),
            ("base_n", .integer(metric.baseCount)),
            ("other_n", .integer(metric.otherCount)),
            ("unknown_rows", .integer(metric.unknownRows)),
            ("difference", .decimal(metric.difference, decimals)),
            ("difference_low95", .decimal(metric.interval?.low, decimals)),
            ("difference_high95", .decimal(metric.interval?.high, decimals)),
            ("change_percent", .decimal(metric.changePercent, 3)),
            ("drift_percent", .decimal(100 * metric.drift, 3)),
            ("p_value", metric.pValue.map { .probability($0) } ?? .missing),
            ("p_adjusted", metric.adjustedPValue.map { .probability($0) } ?? .missing),
            ("verdict", .text(metric.verdict.rawValue)),
            ("needed", metric.needed.map { .integer($0) } ?? .missing),
        ]
    }
}

extension ComparedMetric {
    /// The number of decimals of its values.
    var decimals: Int {
        switch self {
        case .lossPercent: 3
        case .lostBytes, .refetchedBytes: 1
        case .recoverySeconds, .resumeSeconds: 6
        }
    }
}

extension RunComparison {
    /// The figures of a side; nil when its run does not have it.
    func policy(_ side: ComparedSide) -> ComparedPolicy? {
        runs[side.run].policies.first { $0.policy == side.policy }
    }
}
