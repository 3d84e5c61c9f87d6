package import RigModel

/// A metric of a gate, with its name from spec 2.
package enum Metric: String, Sendable, Hashable, CaseIterable {
    /// Rows that break a promise.
    case violations
    /// Violations ÷ conclusive rows.
    case violationRate = "violation_rate"
    /// Σ corrupt bytes, or a statistic of the rows' figures.
    case corruptBytes = "corrupt_bytes"
    /// 100 × Σ lost ÷ Σ received, or a statistic of the rows' percentages.
    case lossPercent = "loss_percent"
    /// Lost bytes per row.
    case lostBytes = "lost_bytes"
    /// Refetched bytes per row.
    case refetchedBytes = "refetched_bytes"
    /// Recovery time per row.
    case recoverySeconds = "recovery_seconds"
    /// Resume time per row.
    case resumeSeconds = "resume_seconds"
    /// 100 × inconclusive rows ÷ all rows.
    case inconclusivePercent = "inconclusive_percent"
    /// Distinct phases among conclusive kills.
    case phasesHit = "phases_hit"

    package var unit: MetricUnit {
        switch self {
        case .violations, .phasesHit: .count
        case .violationRate: .fraction
        case .corruptBytes, .lostBytes, .refetchedBytes: .bytes
        case .lossPercent, .inconclusivePercent: .percent
        case .recoverySeconds, .resumeSeconds: .seconds
        }
    }

    package var statistics: [Statistic] {
        switch self {
        case .violations, .phasesHit: []
        case .violationRate, .inconclusivePercent: [.ucb95]
        case .corruptBytes, .lossPercent, .lostBytes, .refetchedBytes, .recoverySeconds,
            .resumeSeconds:
            Statistic.ofRows
        }
    }

    /// True when a gate without a policy covers all rows of the run together.
    ///
    /// Counts of failures add up over policies. Losses, times and the share of inconclusive rows do
    /// not: one policy's values would hide another's, so the gate is applied to each policy.
    package var spansPolicies: Bool {
        switch self {
        case .violations, .violationRate, .corruptBytes: true
        case .lossPercent, .lostBytes, .refetchedBytes, .recoverySeconds, .resumeSeconds,
            .inconclusivePercent, .phasesHit:
            false
        }
    }

    /// True when only a policy with a threshold promises anything about it.
    package var isAboutLoss: Bool { self == .lossPercent || self == .lostBytes }

    /// The row's figure; nil when it is unknown or the metric has no value per row.
    func value(of row: IterationRow) -> Double? {
        switch self {
        case .corruptBytes: row.corruptBytes.map(Double.init)
        case .lossPercent: row.lossPercent
        case .lostBytes: row.lostBytes.map(Double.init)
        case .refetchedBytes: row.refetchedBytes.map(Double.init)
        case .recoverySeconds: row.recoverySeconds
        case .resumeSeconds: row.resumeSeconds
        case .violations, .violationRate, .inconclusivePercent, .phasesHit: nil
        }
    }
}

/// A statistic of a metric's values.
package enum Statistic: String, Sendable, Hashable, CaseIterable {
    case min, mean, median, p90, p95, p99, max
    /// Of a rate: the exact (Clopper–Pearson) one-sided 95 % upper bound.
    case ucb95

    /// The statistics of a metric that has a value per row.
    package static let ofRows: [Statistic] = [.min, .mean, .median, .p90, .p95, .p99, .max]

    /// The statistic of a sample and its 95 % interval; extremes have none.
    func measure(_ sample: SortedSample) -> (value: Double?, interval: ConfidenceInterval?) {
        switch self {
        case .min: (sample.min, nil)
        case .max, .ucb95: (sample.max, nil)
        case .mean: (sample.mean, Bootstrap.meanInterval(sample.values))
        case .median: (sample.median, sample.percentileInterval(50))
        case .p90: (sample.percentile(90), sample.percentileInterval(90))
        case .p95: (sample.percentile(95), sample.percentileInterval(95))
        case .p99: (sample.percentile(99), sample.percentileInterval(99))
        }
    }
}

/// How a value is compared with a limit.
package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case notEqual = "!="
    case below = "<"
    case above = ">"

    /// True when the value satisfies the comparison; never with a NaN on either side.
    package func holds(_ value: Double, _ limit: Double) -> Bool {
        guard !value.isNaN, !limit.isNaN else { return false }
        return switch self {
        case .atMost: value <= limit
        case .atLeast: value >= limit
        case .equal: value == limit
        case .notEqual: value != limit
        case .below: value < limit
        case .above: value > limit
        }
    }

    /// True when a value from 0 to `most` can satisfy the comparison with a limit.
    func canHold(_ limit: Double, upTo most: Double) -> Bool {
        switch self {
        case .below: limit > 0
        case .atMost: limit >= 0
        case .equal: (0...most).contains(limit)
        case .notEqual: true
        case .atLeast: limit <= most
        case .above: limit < most
        }
    }
}
