package import RigModel

/// A comparison as CSV: a row per pair of sides and metric.
///
/// `base`, `other`, `difference` and the interval are in the metric's unit: percent, bytes,
/// seconds, or bytes per second. An empty field means unknown.
package enum ComparisonCSV {
    /// The version of the columns.
    package static let schema = 1

    package static func text(_ comparison: RunComparison) -> String {
        let rows = comparison.pairs.flatMap { pair in
            pair.metrics.map { values(pair, $0, comparison) }
        }
        let header = rows.first.map { CSVWriter.line($0.map(\.name)) } ?? ""
        return header + rows.map { CSVWriter.line($0.map(\.value.field)) }.joined()
    }

    private typealias Column = (name: String, value: JSONValue)

    private static func values(
        _ pair: ComparedPair, _ metric: MetricComparison, _ comparison: RunComparison
    ) -> [Column] {
        let figure: [Column] = [
            ("metric", .string(metric.metric.rawValue)),
            ("figure", .string(metric.metric.figure)),
        ]
        return sides(pair, comparison) + figure + ComparisonValues.of(metric)
    }

    private static func sides(_ pair: ComparedPair, _ comparison: RunComparison) -> [Column] {
        let base = comparison.policy(pair.base)
        let other = comparison.policy(pair.other)
        return [
            ("schema", .integer(schema)),
            ("base_run", .string(comparison.runs[pair.base.run].name)),
            ("base_policy", .string(pair.base.policy)),
            ("other_run", .string(comparison.runs[pair.other.run].name)),
            ("other_policy", .string(pair.other.policy)),
            ("paired", .boolean(pair.isPaired)),
            ("base_violations", .integer(base?.violations)),
            ("other_violations", .integer(other?.violations)),
            ("base_corrupt_bytes", .integer(base?.corruptBytes)),
            ("other_corrupt_bytes", .integer(other?.corruptBytes)),
        ]
    }
}

/// A metric's figures in a comparison, by their names in CSV and JSON.
enum ComparisonValues {
    /// Names and values, in order; seconds have six decimals, p values nine, or three significant
    /// digits if that is more.
    static func of(_ metric: MetricComparison) -> [(name: String, value: JSONValue)] {
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
            ("p_value", metric.pValue.map { .probability($0) } ?? .null),
            ("p_adjusted", metric.adjustedPValue.map { .probability($0) } ?? .null),
            ("verdict", .string(metric.verdict.rawValue)),
            ("needed", .integer(metric.needed)),
        ]
    }
}

extension ComparedMetric {
    /// The number of decimals of its values.
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
