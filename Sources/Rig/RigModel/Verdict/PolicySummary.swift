/// The results of one policy's rows: one row of `summary.csv`.
///
/// Unless stated otherwise, a figure covers the conclusive rows in which it is known, and is nil if
/// there are none. Medians are midpoints; p95 and p99 are values that occurred (nearest rank).
package struct PolicySummary: Sendable, Hashable, Codable {
    package static let schema = 2

    package var policy: String
    /// The workers' names, joined by `|` if there are several.
    package var worker = ""
    /// The faults' names, joined by `|` if there are several.
    package var fault = ""
    package var iterations = 0
    package var kills = 0
    package var passed = 0
    package var failed = 0
    package var inconclusive = 0
    /// Σ received; nil when unknown in every row.
    package var receivedBytes: Int64? = 0
    package var recoveredBytes: Int64? = 0
    package var lostBytes: Int64? = 0
    /// 100 × Σ lost ÷ Σ received (B4).
    package var lossPercent: Double?
    package var lossPercentInterval: ConfidenceInterval?
    package var documentedLossPercent: String?
    package var lostBytesMedian: Double?
    package var lostBytesP95: Double?
    package var lostBytesP99: Double?
    package var lostBytesMax: Int64?
    /// The largest bound that applied to a row, in bytes; nil when nothing is promised.
    package var boundBytes: Int64?
    package var violations = 0
    /// Exact one-sided 95 % upper bound of kills' violation rate, 0 to 1; nil where none tells.
    package var violationRateUCB95: Double?
    /// Σ corrupt bytes over all rows; nil when unknown in every row.
    package var corruptBytes: Int64? = 0
    package var refetchedBytes: Int64? = 0
    package var commitsMean: Double?
    /// Σ acknowledged ÷ Σ commits, in bytes (B8).
    package var commitBytesMean: Double?
    package var recoverySecondsMedian: Double?
    package var recoverySecondsP99: Double?
    /// 100 × Σ min(bound, received) ÷ Σ received over rows in which both are known (B4).
    package var allowedLossPercent: Double?
    /// Conclusive rows in which at least one checker lacked evidence.
    package var notJudged = 0
    /// The same per checker; checkers that always had evidence are absent.
    package var notJudgedBy: [Checker: Int] = [:]
    /// Passes that may hide a violation, since a checker of a promise lacked evidence.
    package var undecided = 0
    /// Kills after which nothing was recovered, although something had been received.
    package var keptNothing = 0
    package var attempts = 0
    /// A description of how actual kill moments compare with the planned ones; nil if not examined.
    package var killSpread: String?
    package var cost = CostPerMB()
    /// Every phase, in a worker's order, with its kills; last, if any, those in an unknown one.
    package var strata: [Stratum] = []

    package init(policy: String) { self.policy = policy }

    /// The phases in which conclusive kills landed, in the order in which a worker enters them.
    package var phasesHit: [Phase] { strata.filter { $0.kills > 0 }.compactMap(\.phase) }
    package var conclusive: Int { passed + failed }
}
