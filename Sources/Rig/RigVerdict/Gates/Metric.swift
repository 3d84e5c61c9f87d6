package import RigModel

/// A metric of a gate, with its name from spec 2.
package enum Metric: String, Sendable, Hashable, CaseIterable {
    case violations
    /// Violations ÷ conclusive rows.
    case violationRate = "violation_rate"
    /// Σ corrupt bytes, or a statistic of the rows' figures.
    case corruptBytes = "corrupt_bytes"
    /// 100 × Σ lost ÷ Σ received, or a statistic of the rows' percentages.
    case lossPercent = "loss_percent"
    case lostBytes = "lost_bytes"
    case refetchedBytes = "refetched_bytes"
    case recoverySeconds = "recovery_seconds"
    case resumeSeconds = "resume_seconds"
    /// 100 × inconclusive rows ÷ all rows.
    case inconclusivePercent = "inconclusive_percent"
    case phasesHit = "phases_hit"

    package var unit: MetricUnit { facts.unit }

    enum Unnamed {
        /// The total, ratio or count of all rows.
        case all
        /// A bound is a promise about every kill.
        case most
        /// The intended statistic cannot be guessed.
        case refused
    }

    /// What is true of a metric; the defaults are those of one that has a value per row.
    struct Facts {
        let unit: MetricUnit
        var statistics = Statistic.ofRows
        /// True for counts, which add up: of losses, times and shares one would hide another.
        var spansPolicies = false
        /// True where it says something of a run without kills.
        var isAboutSpared = false
        /// False for one that a program without bytes has, too.
        var needsBytes = true
        var greatest = Double.infinity
        var unnamed = Unnamed.all
        /// The row's figure; nil when it is unknown or the metric has no value per row.
        var value: (IterationRow) -> Double? = { _ in nil }
    }

    var facts: Facts {
        switch self {
        case .violations:
            Facts(
                unit: .count, statistics: [], spansPolicies: true, isAboutSpared: true,
                needsBytes: false)
        case .violationRate:
            Facts(
                unit: .fraction, statistics: [.ucb95], spansPolicies: true, needsBytes: false,
                greatest: 1)
        case .corruptBytes:
            Facts(unit: .bytes, spansPolicies: true, isAboutSpared: true) {
                $0.corruptBytes.map(Double.init)
            }
        case .lossPercent: Facts(unit: .percent, greatest: 100) { $0.lossPercent }
        case .lostBytes: Facts(unit: .bytes, unnamed: .most) { $0.lostBytes.map(Double.init) }
        case .refetchedBytes:
            Facts(unit: .bytes, unnamed: .refused) { $0.refetchedBytes.map(Double.init) }
        case .recoverySeconds:
            Facts(unit: .seconds, needsBytes: false, unnamed: .refused) { $0.recoverySeconds }
        case .resumeSeconds: Facts(unit: .seconds, unnamed: .refused) { $0.resumeSeconds }
        case .inconclusivePercent:
            Facts(
                unit: .percent, statistics: [.ucb95], isAboutSpared: true, needsBytes: false,
                greatest: 100)
        case .phasesHit: Facts(unit: .count, statistics: [])
        }
    }
}

package enum Statistic: String, Sendable, Hashable, CaseIterable {
    case min, mean, median, p90, p95, p99, max
    /// Of a rate: the exact (Clopper–Pearson) one-sided 95 % upper bound.
    case ucb95

    package static let ofRows: [Statistic] = [.min, .mean, .median, .p90, .p95, .p99, .max]

    /// Which percentile it is; nil for one that is none.
    var percent: Int? { self == .median ? 50 : Int(rawValue.dropFirst()) }

    /// The figure of a sample that it estimates; nil for an extreme and a bound.
    var estimate: SampleFigure.Kind? {
        switch self {
        case .mean: .mean
        case .median: .median
        case .p90, .p95, .p99: percent.map(SampleFigure.Kind.percentile)
        case .min, .max, .ucb95: nil
        }
    }
}

package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case notEqual = "!="
    case below = "<"
    case above = ">"

    /// True where it bounds the value from above.
    var isFromAbove: Bool { self == .below || self == .atMost }

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
