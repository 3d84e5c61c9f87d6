import RigModel

enum ComparisonTables {
    typealias Row = (pair: ComparedPair, metric: MetricComparison)

    static func rows(_ comparison: RunComparison) -> [Row] {
        comparison.pairs.flatMap { pair in pair.metrics.map { (pair, $0) } }
    }

    /// A row per pair and metric; `-` means unknown.
    static func differences(_ comparison: RunComparison, verdict: String = "") -> Table {
        rows(comparison).table([
            .text("policy") { place(of: $0.pair, in: comparison) },
            .text("metric") { $0.metric.metric.rawValue },
            .text("figure") { $0.metric.metric.figure },
            .number("base") { $0.metric.base.map($0.metric.metric.text) },
            .number("other") { $0.metric.other.map($0.metric.metric.text) },
            .number("difference") { $0.metric.difference.map(signed($0.metric)) },
            .number("change") {
                $0.metric.changePercent.map {
                    ($0 > 0 ? "+" : "") + FixedPoint.text($0, decimals: 1) + " %"
                }
            },
            .number("95 % interval") { row in
                row.metric.interval.map { Figure.interval($0, signed(row.metric)) }
            },
            .number("n") { count($0.metric, $0.pair) },
            .number("p") { probability($0.metric.pValue) },
            .number("p of all") { probability($0.metric.adjustedPValue) },
            .text(verdict) { self.verdict($0.metric, $0.pair) }.toned { Tone($0.metric.verdict) },
        ]).captioned("Every figure of the base beside the other's", absent: "-")
    }

    private static func signed(_ comparison: MetricComparison) -> (Double) -> String {
        { ($0 > 0 ? "+" : "") + comparison.metric.text($0) }
    }

    /// The compared policy, with its runs if there are more than two, or two policies of one run.
    static func place(of pair: ComparedPair, in comparison: RunComparison) -> String {
        if comparison.isWithinRun { return "\(pair.other.policy) / \(pair.base.policy)" }
        guard comparison.runs.count > 2 else { return pair.other.policy }
        return "\(pair.other.policy), \(letter(pair.other.run)) / \(letter(pair.base.run))"
    }

    /// `A` for the first run, `B` for the second; a number after the last letter.
    static func letter(_ run: Int) -> String {
        guard run < 26, let scalar = UnicodeScalar(UInt32(65 + run)) else {
            return "run \(run + 1)"
        }
        return String(scalar)
    }

    private static func count(_ metric: MetricComparison, _ pair: ComparedPair) -> String {
        pair.isPaired ? "\(metric.baseCount) pairs" : "\(metric.baseCount) / \(metric.otherCount)"
    }

    private static func probability(_ value: Double?) -> String {
        guard let value else { return "-" }
        return value < 0.0001 ? "<0.0001" : FixedPoint.text(value, decimals: 4)
    }

    /// The verdict's text; `~` when there is no significant difference.
    static func verdict(_ metric: MetricComparison, _ pair: ComparedPair) -> String {
        switch metric.verdict {
        case .same: "~"
        case .better, .worse, .differs: metric.verdict.rawValue
        case .unknown:
            metric.needed.map { "need >= \($0) \(pair.isPaired ? "pairs" : "rows of each")" }
                ?? "unknown"
        }
    }

    static func runs(_ comparison: RunComparison) -> Table {
        let rows = comparison.runs.enumerated().flatMap { index, run in
            run.policies.map { (run: index, policy: $0, loss: $0.figure(.lossPercent)) }
        }
        return rows.table([
            .text("run") { letter($0.run) }, .text("policy") { $0.policy.policy },
            .number("rows") { "\($0.policy.rows)" },
            .number("conclusive") { "\($0.policy.conclusive)" },
            .number("violations") { "\($0.policy.violations)" },
            .number("corrupt bytes") { $0.policy.corruptBytes.map { "\($0)" } },
            .number("loss %") { $0.loss?.value.map(percentage) },
            .number("95 % interval") { $0.loss?.interval.map { Figure.interval($0, percentage) } },
        ]).captioned("What every policy of every run shows", absent: "-")
    }

    private static func percentage(_ value: Double) -> String {
        FixedPoint.text(value, decimals: 2)
    }

    static func legend(_ comparison: RunComparison) -> [String] {
        comparison.runs.enumerated().map { index, run in
            "\(letter(index)) = \(run.name), run \(run.runID), \(run.rows) rows"
        }
    }

    static func notes(_ comparison: RunComparison) -> [String] {
        comparison.notes + comparison.pairs.flatMap { leftOut(of: $0, in: comparison) }
            + [reading(comparison)] + drift(comparison)
    }

    private static func leftOut(of pair: ComparedPair, in comparison: RunComparison) -> [String] {
        let place = place(of: pair, in: comparison)
        var lines: [String] = []
        if pair.baseLeftOut + pair.otherLeftOut > 0 {
            lines.append(
                "\(place): \(pair.baseLeftOut) rows of the base and \(pair.otherLeftOut) of the"
                    + " other left out: they prove nothing"
                    + (pair.isPaired ? ", or have no partner that does" : ""))
        }
        for metric in pair.metrics where metric.unknownRows > 0 {
            lines.append(
                "\(place): \(metric.unknownRows) rows more left out of \(metric.metric.rawValue),"
                    + " which they\(pair.isPaired ? " or their partners" : "") do not know")
        }
        return lines
    }

    private static func reading(_ comparison: RunComparison) -> String {
        let tests = Set(comparison.pairs.map(\.isPaired)).sorted { $0 && !$1 }.map {
            $0
                ? "Wilcoxon signed-rank over pairs of the same plan"
                : "Mann-Whitney over rows of other plans"
        }
        let method = "~ no significant difference; p by \(tests.joined(separator: ", and by "))"
        guard comparison.tests > 0 else {
            // Without a test, a metric is unknown for lack of rows, or the same because hardly any
            // differ.
            let isShort = comparison.pairs.flatMap(\.metrics).allSatisfy { $0.verdict == .unknown }
            return isShort
                ? "too few rows for any test: whether anything differs is not known"
                : "\(method); no test could show a difference, since hardly any rows differ"
        }
        let count = comparison.tests == 1 ? "1 test" : "\(comparison.tests) tests"
        return "\(method); p of all is Holm's over \(count), so that equal runs show any"
            + " difference in at most 5 % of comparisons"
    }

    private static func drift(_ comparison: RunComparison) -> [String] {
        let allowed = comparison.pairs.flatMap(\.metrics).map(\.drift).filter { $0 > 0 }
        guard let least = allowed.min(), let most = allowed.max() else { return [] }
        let (low, high) = (percent(least), percent(most))
        return [
            "times count only beyond \(low == high ? low : "\(low) to \(high)") %,"
                + " what a machine changes by itself between runs and within them; to see less,"
                + " compare policies within one run"
        ]
    }

    private static func percent(_ parts: Double) -> String {
        FixedPoint.text(100 * parts, decimals: 0)
    }
}

extension Tone {
    fileprivate init?(_ verdict: ComparisonVerdict) {
        switch verdict {
        case .same: return nil
        case .better: self = .good
        case .worse: self = .bad
        case .differs, .unknown: self = .open
        }
    }
}
