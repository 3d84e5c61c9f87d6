package import RigModel

/// The seeded percentile bootstrap: how much a figure might differ in another run.
package enum Bootstrap {
    /// The seed of every interval in every report, so that judging a run again gives the same text.
    package static let seed: UInt64 = 0x5EED_0F_B007_57A9

    /// How many times the rows are resampled.
    package static let resamples = 2_000

    /// The 95 % interval of Σ numerators ÷ Σ denominators, resampling rows as pairs; without ends
    /// for one row, nil without rows, or when some resample has the denominator 0.
    package static func ratioInterval(
        _ numerators: [Double], over denominators: [Double], seed: UInt64 = Bootstrap.seed,
        resamples: Int = Bootstrap.resamples
    ) -> ConfidenceInterval? {
        guard !numerators.isEmpty, numerators.count == denominators.count else { return nil }
        guard numerators.count > 1 || denominators[0] == 0 else {
            return ConfidenceInterval(low: nil, high: nil)
        }
        var random = SplitMix64(seed: seed)
        let ratios = numerators.withUnsafeBufferPointer { tops in
            denominators.withUnsafeBufferPointer { bottoms in
                (0..<resamples).map { _ in resampledRatio(tops, bottoms, from: &random) }
            }
        }
        let sorted = SortedSample(ratios)
        guard sorted.count == resamples else { return nil }
        // Nearest ranks of 2.5 % and 97.5 %.
        return ConfidenceInterval(
            low: sorted.values[resamples / 40 - 1],
            high: sorted.values[resamples - resamples / 40 - 1])
    }

    /// The 95 % interval of the mean; nil without rows, and without ends for a single one.
    package static func meanInterval(
        _ values: [Double], seed: UInt64 = Bootstrap.seed, resamples: Int = Bootstrap.resamples
    ) -> ConfidenceInterval? {
        ratioInterval(values, over: values.map { _ in 1 }, seed: seed, resamples: resamples)
    }

    private static func resampledRatio(
        _ tops: UnsafeBufferPointer<Double>, _ bottoms: UnsafeBufferPointer<Double>,
        from random: inout SplitMix64
    ) -> Double {
        let count = UInt64(tops.count)
        var top = 0.0
        var bottom = 0.0
        for _ in 0..<tops.count {
            // Multiply and shift: uniform to one part in 2^32, without a division.
            let index = Int(truncatingIfNeeded: ((random.next() >> 32) &* count) >> 32)
            top += tops[index]
            bottom += bottoms[index]
        }
        return top / bottom
    }
}
