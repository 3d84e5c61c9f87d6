package import RigModel

/// The seeded percentile bootstrap: how much a figure might differ in another run.
package enum Bootstrap {
    /// The seed of every interval in every report, so that judging a run again gives the same text.
    package static let seed: UInt64 = 0x5EED_0F_B007_57A9

    /// How many times the rows are resampled.
    package static let resamples = 2_000

    /// The 95 % interval of a figure; without ends for one row, nil without rows, or when some
    /// resample has the divisor 0.
    package static func interval(
        of figure: SampleFigure, seed: UInt64 = Bootstrap.seed,
        resamples: Int = Bootstrap.resamples
    ) -> ConfidenceInterval? {
        guard figure.count > 1 else {
            return figure.value.map { _ in ConfidenceInterval(low: nil, high: nil) }
        }
        let values = resampled([figure.count], seed: seed, resamples: resamples) {
            figure.value(of: $0[0])
        }
        return values.allSatisfy(\.isFinite) ? interval(ofSorted: values.sorted()) : nil
    }

    /// The nearest ranks of 2.5 % and 97.5 %.
    private static func interval(ofSorted values: [Double]) -> ConfidenceInterval {
        let low = values[values.count / 40 - 1]
        let high = values[values.count - values.count / 40 - 1]
        return ConfidenceInterval(low: low.isFinite ? low : nil, high: high.isFinite ? high : nil)
    }

    package enum Contrast: Sendable, Hashable {
        case difference, relative

        /// The contrast of two figures; not finite for a division by 0.
        package func value(base: Double, other: Double) -> Double {
            switch self {
            case .difference: other - base
            case .relative: other / base - 1
            }
        }
    }

    /// The 95 % interval of a difference of two figures; an infinite end, as of a ratio to 0, is
    /// nil.
    ///
    /// Rows of one index are drawn together if they are pairs, so that what both share cancels out;
    /// else each sample separately, the base first. Nil without rows, or when a resample is NaN.
    package static func interval(
        of contrast: Contrast, base: SampleFigure, other: SampleFigure, isPaired: Bool,
        seed: UInt64 = Bootstrap.seed, resamples: Int = Bootstrap.resamples
    ) -> ConfidenceInterval? {
        guard base.count > 0, other.count > 0, !isPaired || base.count == other.count else {
            return nil
        }
        guard base.count > 1, other.count > 1 else {
            return ConfidenceInterval(low: nil, high: nil)
        }
        let sizes = isPaired ? [base.count] : [base.count, other.count]
        let values = resampled(sizes, seed: seed, resamples: resamples) { times in
            contrast.value(
                base: base.value(of: times[0]), other: other.value(of: times[sizes.count - 1]))
        }
        return values.contains(where: \.isNaN) ? nil : interval(ofSorted: values.sorted())
    }

    /// The figures of so many draws from samples of these sizes, each with its rows' counts.
    private static func resampled(
        _ sizes: [Int], seed: UInt64, resamples: Int, _ value: ([[UInt32]]) -> Double
    ) -> [Double] {
        var random = SplitMix64(seed: seed)
        var times = sizes.map { Array(repeating: UInt32(0), count: $0) }
        return (0..<resamples).map { _ in
            for sample in times.indices { draw(&times[sample], from: &random) }
            return value(times)
        }
    }

    /// Draws as many rows as there are, and counts how often each was drawn.
    private static func draw(_ times: inout [UInt32], from random: inout SplitMix64) {
        let count = UInt64(times.count)
        times.withUnsafeMutableBufferPointer { times in
            times.update(repeating: 0)
            for _ in 0..<times.count {
                // Multiply and shift: uniform to one part in 2^32, without a division.
                let index = Int(truncatingIfNeeded: ((random.next() >> 32) &* count) >> 32)
                times[index] += 1
            }
        }
    }
}
