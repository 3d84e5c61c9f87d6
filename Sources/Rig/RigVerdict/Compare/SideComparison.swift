import RigModel

/// Two sides being compared: the tests are done, but not corrected yet.
struct SideComparison {
    private(set) var result: ComparedPair
    /// Per metric: the least possible p value of its rows, and of any rows of the same number.
    private var bests: [(ofRows: Double, ofCount: Double)] = []

    init(base: ComparedSide, other: ComparedSide, in runs: [ComparableRun], resamples: Int) {
        let first = runs[base.run].rows(of: base.policy)
        let second = runs[other.run].rows(of: other.policy)
        let pairing = RowPairing(base: first, other: second)
        result = ComparedPair(
            base: base, other: other, isPaired: pairing.isPaired,
            pairs: pairing.isPaired ? pairing.base.count : nil,
            baseLeftOut: first.count - pairing.base.count,
            otherLeftOut: second.count - pairing.other.count, metrics: [])
        for metric in ComparedMetric.allCases {
            let known =
                pairing.isPaired
                ? pairing.pairs { metric.value(of: $0) != nil } : (pairing.base, pairing.other)
            let base = ComparedSample(known.0, metric)
            let other = ComparedSample(known.1, metric)
            if metric.facts.isOfCost, base.count + other.count == 0 { continue }
            var comparison = MetricComparison(
                metric: metric, baseCount: base.count, otherCount: other.count,
                unknownRows: pairing.base.count - base.count + pairing.other.count - other.count)
            fill(&comparison, base, other, resamples: resamples)
            result.metrics.append(comparison)
        }
    }

    private mutating func fill(
        _ comparison: inout MetricComparison, _ base: ComparedSample, _ other: ComparedSample,
        resamples: Int
    ) {
        comparison.base = base.figure.value
        comparison.other = other.figure.value
        if let first = comparison.base, let second = comparison.other {
            comparison.difference = second - first
            comparison.changePercent = first == 0 ? nil : 100 * (second / first - 1)
            comparison.interval = Bootstrap.interval(
                of: .difference, base: base.figure, other: other.figure,
                isPaired: result.isPaired, resamples: resamples)
        }
        if comparison.metric.isOfTime, result.base.run != result.other.run {
            comparison.drift = Drift.between(base.values, other.values, isPaired: result.isPaired)
        }
        guard base.count > 0, other.count > 0 else {
            bests.append((ofRows: 1, ofCount: 1))
            return
        }
        let test = Drift.test(
            base.values, other.values, isPaired: result.isPaired, drift: comparison.drift)
        comparison.pValue = test.pValue
        comparison.verdict = direction(comparison, test)
        bests.append((ofRows: test.leastPValue, ofCount: least(base.count, other.count)))
    }

    private func direction(_ comparison: MetricComparison, _ test: RankTest) -> ComparisonVerdict {
        guard let difference = comparison.difference, difference * test.direction > 0 else {
            return .differs
        }
        return difference > 0 ? .worse : .better
    }

    private func least(_ base: Int, _ other: Int) -> Double {
        result.isPaired
            ? WilcoxonSignedRank.leastPValue(pairs: base)
            : MannWhitney.leastPValue(first: base, second: other)
    }

    /// Corrects the p values over all comparisons of a report, sets the verdicts, and counts the
    /// tests: one that cannot become significant, as hardly any of its rows differ, is left out,
    /// which says nothing about the direction.
    static func conclude(_ comparisons: inout [SideComparison]) -> Int {
        let level = RunComparison.level
        let family = comparisons.indices.flatMap { side in
            comparisons[side].bests.indices.map { (side: side, metric: $0) }
        }.filter { comparisons[$0.side].bests[$0.metric].ofRows <= level }
        let found = Holm.adjusted(
            family.map { comparisons[$0.side].result.metrics[$0.metric].pValue ?? 1 })
        let atBest = Holm.adjusted(family.map { comparisons[$0.side].bests[$0.metric].ofCount })
        for side in comparisons.indices {
            for metric in comparisons[side].bests.indices {
                let place = family.firstIndex { $0.side == side && $0.metric == metric }
                comparisons[side].conclude(
                    metric, adjusted: place.map { found[$0] }, best: place.map { atBest[$0] },
                    tests: place == nil ? 1 : family.count)
            }
        }
        return family.count
    }

    /// Sets a metric's verdict; it is adjusted among `tests` where it is one of them.
    private mutating func conclude(_ index: Int, adjusted: Double?, best: Double?, tests: Int) {
        let level = RunComparison.level
        result.metrics[index].adjustedPValue =
            adjusted ?? result.metrics[index].pValue.map { _ in 1 }
        guard best ?? bests[index].ofCount <= level else {
            result.metrics[index].verdict = .unknown
            result.metrics[index].needed = needed(level / Double(tests))
            return
        }
        if adjusted ?? 1 > level { result.metrics[index].verdict = .same }
    }

    /// How many pairs, or rows of each side, are needed for a p value that small.
    private func needed(_ level: Double) -> Int { (1...).first { least($0, $0) <= level } ?? .max }
}
