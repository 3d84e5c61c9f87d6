/// A comparison of runs with the first, per policy; a single run's first policy is its base.
package struct RunComparison: Sendable, Hashable, Codable {
    /// The probability that a comparison of equal runs marks any difference at all.
    package static let level = 0.05

    package var runs: [ComparedRun]
    /// The comparisons, by policy and then by run.
    package var pairs: [ComparedPair]
    /// The number of tests for Holm's correction: all of them that can be significant.
    package var tests: Int
    /// What a reader must know first: differences in kind, and what only one run has.
    package var notes: [String]

    package init(runs: [ComparedRun], pairs: [ComparedPair], tests: Int, notes: [String]) {
        (self.runs, self.pairs, self.tests, self.notes) = (runs, pairs, tests, notes)
    }

    /// True when the policies of one run are compared with each other.
    package var isWithinRun: Bool { runs.count == 1 }
}

package struct ComparedRun: Sendable, Hashable, Codable {
    package var name: String
    /// The run's own id; several are joined by `|`.
    package var runID: String
    package var rows: Int
    /// Its policies in the order of its rows, each with its own figures.
    package var policies: [ComparedPolicy]

    package init(name: String, runID: String, rows: Int, policies: [ComparedPolicy]) {
        (self.name, self.runID, self.rows, self.policies) = (name, runID, rows, policies)
    }
}

/// The figures of one policy of one run, over all its rows: the points of a curve.
package struct ComparedPolicy: Sendable, Hashable, Codable {
    package var policy: String
    package var thresholdBytes: Int64?
    /// Rows, including inconclusive ones.
    package var rows: Int
    package var conclusive: Int
    package var violations: Int
    /// Σ corrupt bytes over all rows; nil when unknown in every row.
    package var corruptBytes: Int64?
    package var figures: [ComparedFigure]

    package init(
        policy: String, thresholdBytes: Int64?, rows: Int, conclusive: Int, violations: Int,
        corruptBytes: Int64?, figures: [ComparedFigure]
    ) {
        (self.policy, self.thresholdBytes, self.rows) = (policy, thresholdBytes, rows)
        (self.conclusive, self.violations) = (conclusive, violations)
        (self.corruptBytes, self.figures) = (corruptBytes, figures)
    }

    package func figure(_ metric: ComparedMetric) -> ComparedFigure? {
        figures.first { $0.metric == metric }
    }
}

package struct ComparedFigure: Sendable, Hashable, Codable {
    package var metric: ComparedMetric
    /// The figure over the conclusive kills in which it is known; nil when there are none.
    package var value: Double?
    /// Its 95 % interval; a bound that the rows cannot give is nil.
    package var interval: ConfidenceInterval?
    package var n: Int

    package init(metric: ComparedMetric, value: Double?, interval: ConfidenceInterval?, n: Int) {
        (self.metric, self.value, self.interval, self.n) = (metric, value, interval, n)
    }
}

/// One policy of one run, as a side of a comparison.
package struct ComparedSide: Sendable, Hashable, Codable {
    package var run: Int
    package var policy: String

    package init(run: Int, policy: String) { (self.run, self.policy) = (run, policy) }
}

package struct ComparedPair: Sendable, Hashable, Codable {
    package var base: ComparedSide
    package var other: ComparedSide
    /// True when rows of the same iteration and kill form pairs: both were planned alike.
    package var isPaired: Bool
    /// The number of pairs of conclusive kills; nil without pairing.
    package var pairs: Int?
    /// Rows of the base that were left out: inconclusive, or without a conclusive partner.
    package var baseLeftOut: Int
    package var otherLeftOut: Int
    package var metrics: [MetricComparison]

    package init(
        base: ComparedSide, other: ComparedSide, isPaired: Bool, pairs: Int?, baseLeftOut: Int,
        otherLeftOut: Int, metrics: [MetricComparison]
    ) {
        (self.base, self.other, self.isPaired, self.pairs) = (base, other, isPaired, pairs)
        (self.baseLeftOut, self.otherLeftOut, self.metrics) = (baseLeftOut, otherLeftOut, metrics)
    }
}

package enum ComparisonVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    case same, better, worse
    /// A significant difference of ranks that the figure does not show, or shows reversed.
    case differs
    /// Undecided: too few rows know the metric for any difference to be significant.
    case unknown
}

/// Two sides by one metric; with pairing, both values are over the rows that are pairs in it.
package struct MetricComparison: Sendable, Hashable, Codable {
    package var metric: ComparedMetric
    /// The base's figure; nil when unknown in every row.
    package var base: Double?
    package var other: Double?
    package var baseCount: Int
    /// The number of rows of the other side; with pairing, the same as of the base.
    package var otherCount: Int
    /// Rows of both sides that took part but lack this metric, or have a partner that lacks it.
    package var unknownRows: Int
    package var difference: Double?
    package var interval: ConfidenceInterval?
    /// 100 × (other ÷ base − 1); nil when the base is 0.
    package var changePercent: Double?
    /// How much times vary because of the machine, as a fraction: only a larger change counts.
    package var drift: Double
    /// The p value of the rank test; nil without rows.
    package var pValue: Double?
    /// The same after Holm's correction over all tests of the comparison.
    package var adjustedPValue: Double?
    package var verdict: ComparisonVerdict
    /// For an undecided comparison: the minimum number of pairs, or of rows per side.
    package var needed: Int?

    package init(metric: ComparedMetric, baseCount: Int, otherCount: Int, unknownRows: Int) {
        (self.metric, self.baseCount, self.otherCount) = (metric, baseCount, otherCount)
        (self.unknownRows, drift, verdict) = (unknownRows, 0, .unknown)
    }
}
