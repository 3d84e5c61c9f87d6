import RigModel

/// The tables of a comparison for the terminal and for Markdown.
enum ComparisonCells {
    static let titles = [
        "policy", "metric", "figure", "base", "other", "difference", "change", "95 % interval",
        "n", "p", "p of all", "",
    ]
    /// The columns of ``titles`` that hold numbers.
    static let numbers: Set<Int> = [3, 4, 5, 6, 7, 8, 9, 10]

    /// A row per pair and metric; `-` means unknown.
    static func rows(_ comparison: RunComparison) -> [[String]] {
        comparison.pairs.flatMap { pair in
            pair.metrics.map { metric in
                [place(of: pair, in: comparison), metric.metric.rawValue, metric.metric.figure]
                    + figures(metric) + [count(metric, pair)]
                    + [
                        probability(metric.pValue), probability(metric.adjustedPValue),
                        verdict(metric, pair),
                    ]
            }
        }
    }

    private static func figures(_ comparison: MetricComparison) -> [String] {
        let metric = comparison.metric
        func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + metric.text(value) }
        return [
            comparison.base.map(metric.text) ?? "-", comparison.other.map(metric.text) ?? "-",
            comparison.difference.map(signed) ?? "-",
            comparison.changePercent.map {
                ($0 > 0 ? "+" : "") + FixedPoint.text($0, decimals: 1) + " %"
            } ?? "-",
            comparison.interval.map { Figure.interval($0, signed) } ?? "-",
        ]
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
        pair.isPaired
            ? "\(metric.baseCount) pairs" : "\(metric.baseCount) / \(metric.otherCount)"
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

    static let runTitles = [
        "run", "policy", "rows", "conclusive", "violations", "corrupt bytes", "loss %",
        "95 % interval",
    ]
    static let runNumbers: Set<Int> = [2, 3, 4, 5, 6, 7]

    /// The figures of each run and policy, one row each.
    static func runRows(_ comparison: RunComparison) -> [[String]] {
        comparison.runs.enumerated().flatMap { index, run in
            run.policies.map { policy in
                let loss = policy.figure(.lossPercent)
                return [
                    letter(index), policy.policy, "\(policy.rows)", "\(policy.conclusive)",
                    "\(policy.violations)", policy.corruptBytes.map { "\($0)" } ?? "-",
                    loss?.value.map(percentage) ?? "-",
                    loss?.interval.map { Figure.interval($0, percentage) } ?? "-",
                ]
            }
        }
    }

    private static func percentage(_ value: Double) -> String {
        FixedPoint.text(value, decimals: 2)
    }

    /// Which letter stands for which run.
    static func legend(_ comparison: RunComparison) -> [String] {
        comparison.runs.enumerated().map { index, run in
            "\(letter(index)) = \(run.name), run \(run.runID), \(run.rows) rows"
        }
    }

    /// Notes on how to read the tables, and on what they are based.
    static func notes(_ comparison: RunComparison) -> [String] {
        comparison.notes + comparison.pairs.flatMap { leftOut(of: $0, in: comparison) }
            + [reading(comparison)] + drift(comparison)
    }

    private static func leftOut(
        of pair: ComparedPair, in comparison: RunComparison
    ) -> [String] {
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
