import Foundation
internal import RigModel

/// How much the speed of a machine changes by itself, as far as its runs show.
///
/// Medians of equal runs differ by a tenth on a quiet machine, which no test of the rows can tell
/// from a slower worker. So a difference between runs counts only beyond the usual drift and that
/// within them: twice the standard deviation, of logarithms, between blocks of a run (the variance
/// component of a one-way analysis of variance). Within a run the policies alternate.
enum Drift {
    static let blocks = 5
    static let leastRows = 4

    /// The drift to allow for between two runs, whose times are in order; 0.1 allows for 10 %; what
    /// was planned for both rows of a pair cancels out of their ratio.
    static func between(_ base: [Double], _ other: [Double], isPaired: Bool) -> Double {
        let variance =
            isPaired
            ? variance(zip(base, other).map { $1 / $0 })
            : variance(base) + variance(other)
        return max(Tolerances.usualDrift, exp(2 * variance.squareRoot()) - 1)
    }

    /// The variance of logarithms between a run's blocks, beyond that of its rows; 0 for too few.
    private static func variance(_ values: [Double]) -> Double {
        let logarithms = values.filter { $0 > 0 && $0.isFinite }.map { log($0) }
        guard logarithms.count >= blocks * leastRows else { return 0 }
        let stretches = (0..<blocks).map { block in
            Array(
                logarithms[
                    (logarithms.count * block / blocks)..<(logarithms.count * (block + 1) / blocks)]
            )
        }
        let total = mean(logarithms)
        var between = 0.0
        var within = 0.0
        for stretch in stretches {
            let middle = mean(stretch)
            between += Double(stretch.count) * (middle - total) * (middle - total)
            within += stretch.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
        }
        between /= Double(blocks - 1)
        within /= Double(logarithms.count - blocks)
        return max(0, (between - within) * Double(blocks) / Double(logarithms.count))
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(values.count)
    }

    /// Tests whether samples differ by more than a drift: the smaller one is raised by it first.
    static func test(
        _ base: [Double], _ other: [Double], isPaired: Bool, drift: Double
    ) -> RankTest {
        func ranks(_ first: [Double], _ second: [Double]) -> RankTest {
            isPaired
                ? WilcoxonSignedRank.test(zip(first, second).map { $1 - $0 })
                : MannWhitney.test(first, second)
        }
        guard drift > 0 else { return ranks(base, other) }
        let above = ranks(base.map { $0 * (1 + drift) }, other)
        if above.direction > 0 { return above }
        let below = ranks(base, other.map { $0 * (1 + drift) })
        if below.direction < 0 { return below }
        return RankTest(pValue: 1, leastPValue: above.leastPValue, direction: 0)
    }
}
