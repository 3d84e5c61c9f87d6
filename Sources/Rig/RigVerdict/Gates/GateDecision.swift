import RigModel

extension Gate {
    /// True for figures that estimate what kills do in general; the others are exact.
    var isEstimate: Bool {
        metric == .violationRate || statistic == .ucb95 || statistic?.estimate != nil
            || metric == .lossPercent && statistic == nil
    }

    /// An estimate decides only if its whole 95 % interval lies on one side of the limit; an end
    /// that the rows cannot bound is the metric's extreme value.
    func decision(_ value: Double, _ interval: ConfidenceInterval?) -> GateVerdict {
        let isOpen = needsBaseline && interval != nil
        guard (isEstimate && isAboutTheRate) || isOpen else {
            return comparison.holds(value, limit) ? .holds : .fails
        }
        // A change can be negative.
        let low = interval?.low ?? (needsBaseline ? -.infinity : 0)
        let high = interval?.high ?? (needsBaseline ? .infinity : metric.facts.greatest)
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

    /// False for `ucb95 > 1%` and similar gates, which test the bound instead of the rate.
    private var isAboutTheRate: Bool {
        statistic != .ucb95 || comparison == .below || comparison == .atMost
    }
}
