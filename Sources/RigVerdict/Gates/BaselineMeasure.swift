import RigModel

/// What a metric has changed by since the baseline.
struct BaselineMeasure {
    /// The change, in the unit of the gate's limit; nil when either side is not known.
    let value: Double?
    /// Pairs, or rows of the run.
    let n: Int
    /// Its 95 % interval; nil for what is known exactly.
    let interval: ConfidenceInterval?
}

extension Gate {
    /// The figure of rows as a gate without a baseline measures it; nil when it is not known.
    func exactFigure(_ rows: [IterationRow]) -> Double? { measured(rows).value }

    /// Compares rows with those of the baseline.
    ///
    /// Where both were planned alike, rows of one iteration and kill are pairs, and only pairs of
    /// which both prove something and know the metric count for an estimate; so what a plan happens
    /// to ask for drops out. Counts, sums and extremes are those of all rows.
    ///
    /// - Parameters:
    ///   - rows: the run's rows.
    ///   - base: the baseline's.
    ///   - isOnePolicy: false when they are rows of several policies, which are no pairs.
    /// - Returns: the change; unknown where either side knows no figure.
    func compared(
        _ rows: [IterationRow], with base: [IterationRow], isOnePolicy: Bool
    ) -> BaselineMeasure {
        guard isEstimate, metric != .violationRate else { return exact(rows, base) }
        let pairing = RowPairing(base: base, other: rows)
        let isPaired = pairing.isPaired && isOnePolicy
        let sides =
            isPaired
            ? known(pairing)
            : (base.filter(\.isConclusive).filter(knows), rows.filter(\.isConclusive).filter(knows))
        guard let first = figure(sides.0), let second = figure(sides.1),
            let before = first.value, let after = second.value
        else { return BaselineMeasure(value: nil, n: sides.1.count, interval: nil) }
        let contrast: Bootstrap.Contrast = kind == .percent ? .relative : .difference
        let scale = kind == .percent ? 100.0 : 1
        let value = scale * contrast.value(base: before, other: after)
        let drawn = Bootstrap.interval(
            of: contrast, base: first, other: second, isPaired: isPaired)
        let bounds = bounds(base: sides.0.count, other: sides.1.count)
        return BaselineMeasure(
            value: value.isFinite ? value : nil, n: sides.1.count,
            interval: ConfidenceInterval(
                low: bounds.low ? drawn?.low.map { $0 * scale } : nil,
                high: bounds.high ? drawn?.high.map { $0 * scale } : nil))
    }

    /// Which ends of a difference's interval so many rows can bound: the upper one takes an upper
    /// bound of the run's figure and a lower one of the baseline's.
    func bounds(base: Int, other: Int) -> (low: Bool, high: Bool) {
        let (before, after) = (ends(rows: base), ends(rows: other))
        return (after.low && before.high, after.high && before.low)
    }

    private func known(_ pairing: RowPairing) -> ([IterationRow], [IterationRow]) {
        let pairs = zip(pairing.base, pairing.other).filter { knows($0) && knows($1) }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    /// True when the row knows what the gate's figure is taken of.
    private func knows(_ row: IterationRow) -> Bool {
        guard metric == .lossPercent, statistic == nil else { return metric.value(of: row) != nil }
        return row.lostBytes != nil && row.receivedBytes != nil
    }

    /// The figure of rows that all know it; nil for one that is no estimate of single rows.
    private func figure(_ rows: [IterationRow]) -> SampleFigure? {
        guard metric != .lossPercent || statistic != nil else {
            return SampleFigure(
                .ratio, of: rows.map { 100 * Double($0.lostBytes ?? 0) },
                over: rows.map { Double($0.receivedBytes ?? 0) })
        }
        let values = rows.compactMap(metric.value)
        return switch statistic {
        case .mean: SampleFigure(.mean, of: values)
        case .median: SampleFigure(.median, of: values)
        case .p90: SampleFigure(.percentile(90), of: values)
        case .p95: SampleFigure(.percentile(95), of: values)
        case .p99: SampleFigure(.percentile(99), of: values)
        case .min, .max, .ucb95, nil: nil
        }
    }

    /// Figures set against each other; of a rate with the interval that both rates' intervals leave.
    private func exact(_ rows: [IterationRow], _ base: [IterationRow]) -> BaselineMeasure {
        let count = measured(rows).n
        guard let before = exactFigure(base), let after = exactFigure(rows) else {
            return BaselineMeasure(value: nil, n: count, interval: nil)
        }
        let value = kind == .percent ? 100 * (after / before - 1) : after - before
        return BaselineMeasure(
            value: value.isFinite ? value : nil, n: count,
            interval: metric == .violationRate
                ? Self.rateInterval(violations(base), violations(rows))
                : reach(of: value, rows: count, base: measured(base).n))
    }

    /// How far a change may be from the one that as many rows on both sides would show.
    ///
    /// Counts, sums and maxima only grow with rows, and minima only shrink: fewer rows than the
    /// baseline's show no less than so much, and more rows no more.
    ///
    /// - Returns: nil where both have as many, or the figure does not depend on how many.
    private func reach(of value: Double, rows: Int, base: Int) -> ConfidenceInterval? {
        guard rows != base, metric != .inconclusivePercent else { return nil }
        let grows = statistic != .min
        return (rows < base) == grows
            ? ConfidenceInterval(low: value, high: nil)
            : ConfidenceInterval(low: nil, high: value)
    }

    /// The violations of rows, and how many of the rows say whether they are one.
    func violations(_ rows: [IterationRow]) -> (events: Int, trials: Int) {
        let decided = rows.filter(\.isDecided)
        return (decided.count(where: \.isViolation), decided.count)
    }

    /// An interval of the difference of two rates that is right with a probability of at least 95 %:
    /// what is left of both exact intervals, each right with 97.5 %.
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
