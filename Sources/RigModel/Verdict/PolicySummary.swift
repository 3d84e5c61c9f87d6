/// What the rows of one policy show: one row of `summary.csv`.
///
/// Unless it says otherwise, a figure is taken over the conclusive rows (pass or fail) in which it
/// is known; nil where it is known in none. Medians of an even number of values are the midpoint
/// of the middle two; p95 and p99 are values that occurred (nearest rank).
package struct PolicySummary: Sendable, Hashable, Codable {
    /// The version of the columns.
    package static let schema = 2

    /// The policy's name.
    package var policy: String
    /// The workers' names, joined by `|` should there be several.
    package var worker = ""
    /// The faults' names, joined by `|` should there be several.
    package var fault = ""
    /// Distinct iterations with at least one row.
    package var iterations = 0
    /// Rows, inconclusive ones included.
    package var kills = 0
    /// Rows that passed.
    package var passed = 0
    /// Rows with a finding.
    package var failed = 0
    /// Rows that prove nothing.
    package var inconclusive = 0
    /// Σ received; nil where no row knows it.
    package var receivedBytes: Int64? = 0
    /// Σ recovered; nil where no row knows it.
    package var recoveredBytes: Int64? = 0
    /// Σ lost; nil where no row knows it.
    package var lostBytes: Int64? = 0
    /// 100 × Σ lost ÷ Σ received (B4).
    package var lossPercent: Double?
    /// The 95 % interval of ``lossPercent``; nil where that is not known.
    package var lossPercentInterval: ConfidenceInterval?
    /// What the documents say (B2, B4).
    package var documentedLossPercent: String?
    /// Median of lost bytes.
    package var lostBytesMedian: Double?
    /// 95th percentile of lost bytes.
    package var lostBytesP95: Double?
    /// 99th percentile of lost bytes.
    package var lostBytesP99: Double?
    /// The greatest loss in bytes.
    package var lostBytesMax: Int64?
    /// The greatest bound that applied to a row, in bytes; nil where nothing is promised.
    package var boundBytes: Int64?
    /// Rows that break a promise.
    package var violations = 0
    /// Exact one-sided 95 % upper bound of the violation rate of kills, 0 to 1; nil without any that
    /// says whether it broke a promise.
    package var violationRateUCB95: Double?
    /// Σ corrupt bytes over all rows; nil where no row knows them.
    package var corruptBytes: Int64? = 0
    /// Σ refetched bytes; nil where no row knows it.
    package var refetchedBytes: Int64? = 0
    /// Mean number of commits per kill.
    package var commitsMean: Double?
    /// Σ acknowledged ÷ Σ commits, in bytes (B8).
    package var commitBytesMean: Double?
    /// Median of the recovery time in seconds.
    package var recoverySecondsMedian: Double?
    /// 99th percentile of the recovery time in seconds.
    package var recoverySecondsP99: Double?
    /// What the bound allowed these very kills to lose, in percent of what they had received:
    /// 100 × Σ min(bound, received) ÷ Σ received over rows in which both are known (B4).
    package var allowedLossPercent: Double?
    /// Conclusive rows in which at least one checker could not look.
    package var notJudged = 0
    /// The same by the checker; those that could always look are not there.
    package var notJudgedBy: [Checker: Int] = [:]
    /// Passes that may hide a violation, since a checker of what the worker promises could not look.
    package var undecided = 0
    /// Kills after which nothing at all was kept, although something had been received.
    package var keptNothing = 0
    /// Σ lives begun, over all rows.
    package var attempts = 0
    /// How the moments of the kills lie beside the planned ones, in words; nil where that was not
    /// looked at.
    package var killSpread: String?
    /// Every phase with the kills that landed in it, in the order of a life; last, where there are
    /// any, the kills of which the phase is not known.
    package var strata: [Stratum] = []

    /// The summary of a policy without rows.
    package init(policy: String) {
        self.policy = policy
    }

    /// The phases that conclusive kills landed in, in the order of a life.
    package var phasesHit: [Phase] { strata.filter { $0.kills > 0 }.compactMap(\.phase) }

    /// Rows that prove something.
    package var conclusive: Int { passed + failed }
}
