import RigModel

/// How many rows an estimate needs before its interval can lie on one side of a limit.
extension Gate {
    private static let mostRows = 1 << 50

    /// The fewest conclusive rows with which the gate can hold; nil when there is no such number.
    var rowsNeeded: Int? { Self.fewest { canHold(rows: $0) } }

    /// The same for a gate that compares with a baseline of so many rows and violations.
    func rowsNeeded(baseline: (rows: Int, violations: Int)) -> Int? {
        Self.fewest { rows in
            guard isEstimate else { return true }
            guard metric == .violationRate else {
                let bounds = bounds(base: baseline.rows, other: rows)
                return comparison.isFromAbove ? bounds.high : bounds.low
            }
            return [0, rows].contains { events in
                let interval = Self.rateInterval(
                    (baseline.violations, baseline.rows), (events, rows))
                return decision(0, interval) == .holds
            }
        }
    }

    /// The smallest number from 1 on that satisfies a monotonic condition.
    private static func fewest(_ canHold: (Int) -> Bool) -> Int? {
        var enough = 1
        while !canHold(enough) {
            enough *= 2
            if enough > mostRows { return nil }
        }
        return SortedSample.border(enough / 2, enough, isBeyond: canHold)
    }

    private func canHold(rows: Int) -> Bool {
        guard isEstimate else { return true }
        return bestFigures(rows: rows).contains { outcome in
            decision(outcome.value, outcome.interval) == .holds
        }
    }

    private typealias Figure = (value: Double, interval: ConfidenceInterval?)

    /// The outcomes farthest from the limit: rates of no and of all rows, or equal rows.
    private func bestFigures(rows: Int) -> [Figure] {
        if metric == .violationRate || metric == .inconclusivePercent {
            return [0, rows].map { events in
                let rate = rate(events, of: rows)
                return (rate?.value ?? 0, rate?.interval)
            }
        }
        let ends = ends(rows: rows)
        let far = min(metric.facts.greatest, 2 * limit + 1)
        return [0, limit, far].map { value in
            (value, ConfidenceInterval(low: ends.low ? value : nil, high: ends.high ? value : nil))
        }
    }

    func ends(rows: Int) -> (low: Bool, high: Bool) {
        if let percent = statistic?.percent { return SortedSample.bounds(percent, count: rows) }
        let isKnown = rows > 1 || statistic != nil && statistic != .mean
        return (isKnown, isKnown)
    }

    /// A rate in the metric's unit with its exact two-sided interval; for `ucb95` its upper bound,
    /// with both one-sided 95 % bounds as the interval's ends; nil without rows.
    func rate(_ events: Int, of rows: Int) -> (value: Double, interval: ConfidenceInterval)? {
        let isBound = statistic == .ucb95
        guard let upper = Binomial.upperBound(events: events, trials: rows),
            let interval = Binomial.interval(
                events: events, trials: rows, confidence: isBound ? 0.9 : 0.95)
        else { return nil }
        let scale = metric.unit == .percent ? 100.0 : 1
        let value = isBound ? upper : Double(events) / Double(rows)
        return (scale * value, interval.scaled(by: scale))
    }

    func shortfall(rows: Int) -> String {
        let count = rows.counted("row")
        guard metric == .violationRate || metric == .inconclusivePercent else {
            let ends = ends(rows: rows)
            let missing =
                switch (ends.low, ends.high) {
                case (false, false): "on neither side"
                case (true, _): "from below only"
                case (_, true): "from above only"
                }
            return "\(count) bound\(rows == 1 ? "s" : "") \(subject) \(missing)"
        }
        let best = rate(comparison.isFromAbove ? 0 : rows, of: rows)?.interval
        let end = comparison.isFromAbove ? best?.high : best?.low
        let text = end.map(metric.unit.text) ?? "nothing"
        return "\(count) bound\(rows == 1 ? "s" : "") a rate at \(text) at best"
    }

    var relief: String {
        switch (metric, statistic, comparison) {
        case (.violationRate, nil, .below), (.violationRate, nil, .atMost),
            (.violationRate, .ucb95, _), (.inconclusivePercent, _, _):
            "raise the limit"
        case (.violationRate, _, _): "lower the limit"
        default: "ask for \(metric.rawValue).max, which is known exactly"
        }
    }

    var neverAdvice: String {
        switch comparison {
        case .equal:
            "no number of iterations shows that an estimate is just one value; compare it with <="
                + " or >=" + (metric == .violationRate ? ", or ask for violations == 0" : "")
        case .below, .atMost:
            "no number of iterations bounds a rate so low; raise the limit"
                + (metric == .violationRate ? ", or ask for violations == 0" : "")
        default: "no number of iterations bounds a rate so high; lower the limit"
        }
    }

    private var subject: String { "\(metric.rawValue)\(statistic.map { ".\($0.rawValue)" } ?? "")" }
}
