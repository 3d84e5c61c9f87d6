import RigModel

extension Gate {
    /// True when the gate is about what kills do, of which the run's rows are a sample: a rate, a
    /// ratio, a mean or a percentile.
    ///
    /// Everything else is about the rows that there are, and known exactly: counts, sums, extremes,
    /// and the share of this run's rows that prove nothing.
    var isEstimate: Bool {
        switch (metric, statistic) {
        case (.violationRate, _), (_, .ucb95), (.lossPercent, nil): true
        case (_, .mean), (_, .median), (_, .p90), (_, .p95), (_, .p99): true
        case (_, .min), (_, .max), (_, nil): false
        }
    }

    /// What a measured value says of the gate.
    ///
    /// An estimate decides only where its whole 95 % interval lies on one side of the limit: an
    /// interval that straddles the limit means that another run may well show the opposite, so the
    /// gate is unknown. With an end that the rows cannot bound, that is the end of what is possible.
    func decision(_ value: Double, _ interval: ConfidenceInterval?) -> GateVerdict {
        let isOpen = needsBaseline && interval != nil
        guard (isEstimate && isAboutTheRate) || isOpen else {
            return comparison.holds(value, limit) ? .holds : .fails
        }
        // A change may be one for the better, too.
        let low = interval?.low ?? (needsBaseline ? -.infinity : 0)
        let high = interval?.high ?? (needsBaseline ? .infinity : metric.greatest)
        let ends = [low, high].map { comparison.holds($0, limit) }
        switch comparison {
        case .below, .atMost, .above, .atLeast:
            return ends[0] == ends[1] ? (ends[0] ? .holds : .fails) : .unknown
        case .equal:
            guard (low...max(low, high)).contains(limit) else { return .fails }
            return low == high ? .holds : .unknown
        case .notEqual:
            guard (low...max(low, high)).contains(limit) else { return .holds }
            return low == high ? .fails : .unknown
        }
    }

    /// False for `ucb95 > 1%` and the like, which ask about the bound and not about the rate.
    private var isAboutTheRate: Bool {
        statistic != .ucb95 || comparison == .below || comparison == .atMost
    }
}

extension Metric {
    /// The greatest value that there can be, in the metric's unit.
    var greatest: Double {
        switch self {
        case .violationRate: 1
        case .lossPercent, .inconclusivePercent: 100
        case .violations, .phasesHit, .corruptBytes, .lostBytes, .refetchedBytes,
            .recoverySeconds, .resumeSeconds:
            .infinity
        }
    }
}
