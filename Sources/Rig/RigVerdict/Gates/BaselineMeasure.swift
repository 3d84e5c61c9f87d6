import RigModel

/// A metric's change since the baseline, in the unit of the gate's limit.
extension Gate {
    func exactFigure(_ rows: [IterationRow]) -> Double? { measured(rows).value }

    /// Compares rows with those of the runs of a reference: of several, an estimate uses the rows
    /// of all together; what grows with the rows is compared with the median of the runs.
    func compared(
        _ rows: [IterationRow], with runs: [[IterationRow]], isOnePolicy: Bool
    ) -> Measure {
        guard isEstimate else { return exact(rows, ofRuns: runs) }
        // Rows of equal plans are of one kill, tried several times: they are no pairs of their own.
        return compared(
            rows, with: runs.flatMap { $0 }, isOnePolicy: isOnePolicy && runs.count == 1)
    }

    /// If both were planned alike, rows of one iteration and kill are pairs, and an estimate uses
    /// those in which both know the metric, so that the plan's random choices cancel out.
    private func compared(
        _ rows: [IterationRow], with base: [IterationRow], isOnePolicy: Bool
    ) -> Measure {
        guard metric != .violationRate else { return exact(rows, ofRuns: [base]) }
        let pairing = RowPairing(base: base, other: rows)
        let isPaired = pairing.isPaired && isOnePolicy
        let sides =
            isPaired
            ? pairing.pairs(where: knows)
            : (base.filter(\.isConclusive).filter(knows), rows.filter(\.isConclusive).filter(knows))
        guard let first = figure(sides.0), let second = figure(sides.1),
            let before = first.value, let after = second.value
        else { return Measure(value: nil, n: sides.1.count) }
        let contrast: Bootstrap.Contrast = kind == .percent ? .relative : .difference
        let scale = kind == .percent ? 100.0 : 1
        let value = scale * contrast.value(base: before, other: after)
        let drawn = Bootstrap.interval(
            of: contrast, base: first, other: second, isPaired: isPaired)?
            .scaled(by: scale)
        let bounds = bounds(base: sides.0.count, other: sides.1.count)
        return Measure(
            value: value.isFinite ? value : nil, n: sides.1.count,
            interval: ConfidenceInterval(
                low: bounds.low ? drawn?.low : nil, high: bounds.high ? drawn?.high : nil))
    }

    /// Which ends of a difference's interval so many rows can bound, each from both sides' ends.
    func bounds(base: Int, other: Int) -> (low: Bool, high: Bool) {
        let (before, after) = (ends(rows: base), ends(rows: other))
        return (after.low && before.high, after.high && before.low)
    }

    private func knows(_ row: IterationRow) -> Bool {
        guard metric == .lossPercent, statistic == nil else {
            return metric.facts.value(row) != nil
        }
        return row.lostBytes != nil && row.receivedBytes != nil
    }

    /// The figure of rows that all have it; nil for one that is not an estimate from single rows.
    private func figure(_ rows: [IterationRow]) -> SampleFigure? {
        guard metric != .lossPercent || statistic != nil else {
            return SampleFigure(percentOfReceived: \.lostBytes, in: rows)
        }
        return statistic?.estimate.map {
            SampleFigure($0, of: rows.compactMap(metric.facts.value))
        }
    }

    private func change(_ after: Double?, from before: Double?) -> Double? {
        guard let after, let before else { return nil }
        return kind == .percent ? 100 * (after / before - 1) : after - before
    }

    /// Compares exact figures; a violation rate gets the interval that both rates' intervals imply.
    private func exact(_ rows: [IterationRow], ofRuns runs: [[IterationRow]]) -> Measure {
        let measures = runs.map(measured).filter { $0.value != nil }
        let count = measured(rows).n
        let middle = SortedSample(measures.compactMap(\.value)).median
        guard let value = change(exactFigure(rows), from: middle), value.isFinite else {
            return Measure(value: nil, n: count)
        }
        if metric == .violationRate {
            let interval = Self.rateInterval(violations(runs.flatMap(\.self)), violations(rows))
            return Measure(value: value, n: count, interval: interval)
        }
        // As wide as the widest: what one run leaves open, the median of all may be.
        let open = measures.compactMap { reach(of: value, rows: count, base: $0.n) }
        let low = open.contains { $0.low == nil } ? nil : value
        let high = open.contains { $0.high == nil } ? nil : value
        return Measure(
            value: value, n: count,
            interval: open.isEmpty ? nil : ConfidenceInterval(low: low, high: high))
    }

    /// The interval of a change between sides with unequal numbers of rows, where that matters:
    /// counts, sums and maxima only grow with more rows, and minima only shrink.
    private func reach(of value: Double, rows: Int, base: Int) -> ConfidenceInterval? {
        guard rows != base, metric != .inconclusivePercent else { return nil }
        let grows = statistic != .min
        return (rows < base) == grows
            ? ConfidenceInterval(low: value, high: nil)
            : ConfidenceInterval(low: nil, high: value)
    }

    func violations(_ rows: [IterationRow]) -> (events: Int, trials: Int) {
        let decided = rows.filter(\.isDecided)
        return (decided.count(where: \.isViolation), decided.count)
    }

    /// The difference of two rates with at least 95 % confidence, by exact intervals of 97.5 %.
    static func rateInterval(
        _ base: (events: Int, trials: Int), _ other: (events: Int, trials: Int)
    ) -> ConfidenceInterval? {
        func interval(_ rate: (events: Int, trials: Int)) -> ConfidenceInterval? {
            Binomial.interval(events: rate.events, trials: rate.trials, confidence: 0.975)
        }
        guard let before = interval(base), let after = interval(other), let lowest = before.low,
            let highest = before.high, let low = after.low, let high = after.high
        else { return nil }
        return ConfidenceInterval(low: low - highest, high: high - lowest)
    }
}
