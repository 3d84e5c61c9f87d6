import Foundation
internal import RigModel

/// How much the speed of a machine changes by itself, as far as its runs show it.
///
/// Two runs are made at two times, and a machine is seldom as fast at both: between equal runs,
/// medians of times differ by a tenth on a quiet machine and by more on a busy one. No test of the
/// rows tells that from a slower worker. So a difference of times between runs counts only where it
/// goes beyond what is usual, and beyond what the runs show within themselves: twice the deviation,
/// of logarithms, between stretches of a run that the spread of single rows does not explain (the
/// variance component of a one-way analysis of variance). Within one run the policies take turns, so
/// that its drift meets all alike.
enum Drift {
    /// Into how many stretches a run is cut.
    static let blocks = 5
    /// How many rows a stretch has at least.
    static let leastRows = 4

    /// What to allow for between two runs.
    ///
    /// - Parameters:
    ///   - base: times of one run, in the order in which they were taken.
    ///   - other: those of the other.
    ///   - isPaired: whether numbers of one index are a pair, so that what was planned for both drops
    ///     out of their ratio.
    /// - Returns: parts of one: 0.1 allows for 10 %.
    static func between(_ base: [Double], _ other: [Double], isPaired: Bool) -> Double {
        let variance =
            isPaired
            ? variance(zip(base, other).map { $1 / $0 })
            : variance(base) + variance(other)
        return max(Tolerances.usualDrift, exp(2 * variance.squareRoot()) - 1)
    }

    /// The variance of logarithms between the stretches of a run, beyond that of its rows; 0 for too
    /// few rows to cut.
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

    /// Tests whether two samples differ by more than a factor.
    ///
    /// The one that is less is raised by it first: what is left has to be significant still.
    ///
    /// - Parameters:
    ///   - base: numbers, of pairs in the order of the pairs.
    ///   - other: the same.
    ///   - isPaired: whether numbers of one index are a pair.
    ///   - drift: parts of one; 0 tests for any difference.
    /// - Returns: the test; p = 1 where they lie closer together.
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
        return RankTest(
            pValue: 1, leastPValue: above.leastPValue, direction: 0, method: above.method)
    }
}
