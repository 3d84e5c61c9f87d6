package import RigModel

package struct SortedSample: Sendable, Hashable {
    package let values: [Double]

    /// Creates a sample; numbers that are not finite are dropped, as they are not measurements.
    package init(_ values: some Sequence<Double>) {
        self.values = values.filter(\.isFinite).sorted()
    }

    package var count: Int { values.count }

    package var min: Double? { values.first }

    package var max: Double? { values.last }

    package var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }

    /// The middle number, or the midpoint of the middle two, as in NumPy's `median`.
    package var median: Double? {
        guard !values.isEmpty else { return nil }
        let upper = values[values.count / 2]
        guard values.count.isMultiple(of: 2) else { return upper }
        return values[values.count / 2 - 1] / 2 + upper / 2
    }

    /// The percentile by nearest rank: the ⌈percent × n ÷ 100⌉-th smallest, a value that occurred.
    package func percentile(_ percent: Int) -> Double? {
        guard !values.isEmpty, (1...100).contains(percent) else { return nil }
        return values[(percent * values.count + 99) / 100 - 1]
    }

    /// The distribution-free 95 % interval of a percentile: order statistics by the binomial
    /// distribution, with at most 2.5 % error on each side; an end is nil for a sample too small to
    /// bound that side.
    package func percentileInterval(_ percent: Int) -> ConfidenceInterval? {
        guard !values.isEmpty, (1...99).contains(percent) else { return nil }
        let quantile = Double(percent) / 100
        // Both conditions are monotonic in the rank, so the last rank is found by bisection.
        func rank(_ isBeyond: (Double) -> Bool) -> Int {
            Self.border(0, count + 1) {
                isBeyond(Binomial.cumulative($0 - 1, of: count, rate: quantile))
            } - 1
        }
        let (below, tooLow) = (rank { $0 > 0.025 }, rank { $0 >= 0.975 })
        return ConfidenceInterval(
            low: below == 0 ? nil : values[below - 1], high: tooLow == count ? nil : values[tooLow])
    }

    /// Which ends of a percentile's interval a sample bounds: its extremes must be far out.
    static func bounds(_ percent: Int, count: Int) -> (low: Bool, high: Bool) {
        let quantile = Double(percent) / 100
        return (
            Binomial.cumulative(0, of: count, rate: quantile) <= 0.025,
            Binomial.cumulative(count - 1, of: count, rate: quantile) >= 0.975
        )
    }

    /// The first number beyond a border, between one that is not and one that is.
    static func border(_ before: Int, _ beyond: Int, isBeyond: (Int) -> Bool) -> Int {
        var (low, high) = (before, beyond)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBeyond(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
