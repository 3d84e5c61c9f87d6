/// Runs side by side, per policy: everything that a report of a comparison says.
///
/// The first run is the base, and every other is compared with it. A single run is compared within
/// itself: its first policy is the base of the others.
package struct RunComparison: Sendable, Hashable, Codable {
    /// The probability with which a comparison of runs that do not differ marks any difference at
    /// all.
    package static let level = 0.05

    /// The runs, the base first.
    package var runs: [ComparedRun]
    /// What was compared with what: by policy, and for each by run.
    package var pairs: [ComparedPair]
    /// How many tests Holm's correction is taken over: those of the whole comparison that can show
    /// anything.
    package var tests: Int
    /// What a reader has to know before the figures: what differs in kind, what only one run has.
    package var notes: [String]

    /// A comparison.
    package init(runs: [ComparedRun], pairs: [ComparedPair], tests: Int, notes: [String]) {
        self.runs = runs
        self.pairs = pairs
        self.tests = tests
        self.notes = notes
    }

    /// True where the policies of one run are compared with each other.
    package var isWithinRun: Bool { runs.count == 1 }

    /// What a side is called beside others: by its policy within a run, else by its run.
    package func name(of side: ComparedSide) -> String {
        isWithinRun ? side.policy : runs[side.run].name
    }
}

/// One run of a comparison.
package struct ComparedRun: Sendable, Hashable, Codable {
    /// As it was named on the command line.
    package var name: String
    /// The run's own name; those of several joined by `|`.
    package var runID: String
    /// Rows that were read.
    package var rows: Int
    /// Its policies in the order of its rows, each with what it shows by itself.
    package var policies: [ComparedPolicy]

    /// A run.
    package init(name: String, runID: String, rows: Int, policies: [ComparedPolicy]) {
        self.name = name
        self.runID = runID
        self.rows = rows
        self.policies = policies
    }
}

/// What one policy of one run shows, over all its rows: the points of a curve.
package struct ComparedPolicy: Sendable, Hashable, Codable {
    /// The policy's name.
    package var policy: String
    /// Nil for `disabled`.
    package var thresholdBytes: Int64?
    /// Rows, inconclusive ones included.
    package var rows: Int
    /// Kills that prove something.
    package var conclusive: Int
    /// Rows that break a promise.
    package var violations: Int
    /// Σ corrupt bytes over all rows; nil where no row knows it.
    package var corruptBytes: Int64?
    /// A figure per metric, in the order of the metrics.
    package var figures: [ComparedFigure]

    /// What a policy shows.
    package init(
        policy: String, thresholdBytes: Int64?, rows: Int, conclusive: Int, violations: Int,
        corruptBytes: Int64?, figures: [ComparedFigure]
    ) {
        self.policy = policy
        self.thresholdBytes = thresholdBytes
        self.rows = rows
        self.conclusive = conclusive
        self.violations = violations
        self.corruptBytes = corruptBytes
        self.figures = figures
    }

    /// The figure of a metric; nil where it was not taken.
    package func figure(_ metric: ComparedMetric) -> ComparedFigure? {
        figures.first { $0.metric == metric }
    }
}

/// A metric of one policy of one run.
package struct ComparedFigure: Sendable, Hashable, Codable {
    /// Which metric.
    package var metric: ComparedMetric
    /// The figure over the conclusive kills that know it; nil where none does.
    package var value: Double?
    /// Its 95 % interval; an end that the rows cannot bound is nil.
    package var interval: ConfidenceInterval?
    /// How many kills know it.
    package var n: Int

    /// A figure.
    package init(metric: ComparedMetric, value: Double?, interval: ConfidenceInterval?, n: Int) {
        self.metric = metric
        self.value = value
        self.interval = interval
        self.n = n
    }
}

/// One policy of one run, as a side of a comparison.
package struct ComparedSide: Sendable, Hashable, Codable {
    /// Which of the runs, from 0.
    package var run: Int
    /// The policy's name.
    package var policy: String

    /// A side.
    package init(run: Int, policy: String) {
        self.run = run
        self.policy = policy
    }
}

/// Two sides compared by every metric.
package struct ComparedPair: Sendable, Hashable, Codable {
    /// What is compared with.
    package var base: ComparedSide
    /// What is compared.
    package var other: ComparedSide
    /// True where the rows of one iteration and kill are a pair: both were planned alike.
    package var isPaired: Bool
    /// Pairs of conclusive kills; without pairing, nil.
    package var pairs: Int?
    /// Rows of the base that took no part: they prove nothing, or have no partner that does.
    package var baseLeftOut: Int
    /// The same of the other.
    package var otherLeftOut: Int
    /// One per metric, in the order of the metrics.
    package var metrics: [MetricComparison]

    /// A comparison of two sides.
    package init(
        base: ComparedSide, other: ComparedSide, isPaired: Bool, pairs: Int?, baseLeftOut: Int,
        otherLeftOut: Int, metrics: [MetricComparison]
    ) {
        self.base = base
        self.other = other
        self.isPaired = isPaired
        self.pairs = pairs
        self.baseLeftOut = baseLeftOut
        self.otherLeftOut = otherLeftOut
        self.metrics = metrics
    }
}

/// What became of a comparison by one metric.
package enum ComparisonVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// No significant difference.
    case same
    /// A significant difference for the better.
    case better
    /// A significant difference for the worse.
    case worse
    /// A significant difference of the ranks that the figure does not show, or shows turned round.
    case differs
    /// Nobody can say: too few rows know the metric for any difference to be significant.
    case unknown
}

/// Two sides compared by one metric.
///
/// Of pairs, both values are taken over the rows that are pairs in this metric.
package struct MetricComparison: Sendable, Hashable, Codable {
    /// By what.
    package var metric: ComparedMetric
    /// The base's figure; nil where no row knows it.
    package var base: Double?
    /// The other's figure.
    package var other: Double?
    /// How many rows of the base are behind it.
    package var baseCount: Int
    /// How many of the other; of pairs as many as of the base.
    package var otherCount: Int
    /// Rows that took part but do not know this metric, of both sides, or whose partner does not.
    package var unknownRows: Int
    /// Other − base.
    package var difference: Double?
    /// The 95 % bootstrap interval of the difference.
    package var interval: ConfidenceInterval?
    /// 100 × (other ÷ base − 1); nil where the base is 0.
    package var changePercent: Double?
    /// What times vary by for the machine's reasons, in parts of one.
    ///
    /// Only what goes beyond it counts as a difference. 0 for what has nothing to do with time.
    package var drift: Double
    /// The p value of the rank test; nil without rows.
    package var pValue: Double?
    /// The same after Holm's correction over all tests of the comparison.
    package var adjustedPValue: Double?
    /// What follows.
    package var verdict: ComparisonVerdict
    /// Where nobody can say: how many pairs, or rows of each side, it takes at least.
    package var needed: Int?

    /// A comparison of which only the rows are known so far.
    package init(metric: ComparedMetric, baseCount: Int, otherCount: Int, unknownRows: Int) {
        self.metric = metric
        self.baseCount = baseCount
        self.otherCount = otherCount
        self.unknownRows = unknownRows
        drift = 0
        verdict = .unknown
    }
}
