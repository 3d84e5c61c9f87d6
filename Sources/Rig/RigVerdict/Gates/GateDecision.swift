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
        // `ucb95 > 1%` and similar gates test the bound instead of the rate.
        let isAboutTheRate = statistic != .ucb95 || comparison.isFromAbove
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
        case .equal, .notEqual:
            let isIn = (low...max(low, high)).contains(limit)
            guard low == high || !isIn else { return .unknown }
            return isIn == (comparison == .equal) ? .holds : .fails
        }
    }
}
