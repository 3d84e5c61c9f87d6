import Foundation

/// The Mann–Whitney U test: whether two unpaired samples come from one distribution.
///
/// Exact for unequal numbers and a smaller sample of at most ``mostExact``, as in SciPy's `auto`;
/// else normal, with the variance corrected for ties and a continuity correction, SciPy's default.
package enum MannWhitney {
    /// The greatest size of the smaller sample for which every arrangement is counted.
    package static let mostExact = 8

    /// Tests the finite numbers of two samples; p = 1 when either is empty or all are equal.
    package static func test(_ first: [Double], _ second: [Double]) -> RankTest {
        let first = first.filter(\.isFinite)
        let second = second.filter(\.isFinite)
        guard !first.isEmpty, !second.isEmpty else { return .noDifference }
        let ranks = MidRanks(first + second)
        guard ranks.groups.count > 1 else { return .noDifference }
        let sizes = Sizes(first: first.count, second: second.count)
        // Twice U of the second sample: pairs in which it is greater, equal ones counted by half.
        let doubledU =
            ranks.doubled[first.count...].reduce(0, +) - second.count * (second.count + 1)
        let direction = Double(doubledU) - Double(sizes.product)
        let greater = max(doubledU, 2 * sizes.product - doubledU)
        guard min(sizes.first, sizes.second) <= mostExact, !ranks.hasTies else {
            let p = { (doubled: Int) in
                sizes.approximate(Double(doubled) / 2, tieTerm: ranks.tieTerm)
            }
            return RankTest(
                pValue: p(greater), leastPValue: p(2 * sizes.product), direction: direction)
        }
        return RankTest(
            pValue: sizes.exact(sizes.product - greater / 2), leastPValue: sizes.exact(0),
            direction: direction)
    }

    /// The exact two-sided p values of samples of such sizes, at least 1, without equal numbers, by
    /// U of the side on which it is smaller, up to half the product of the sizes.
    static func exactPValues(first: Int, second: Int) -> [Double] {
        let sizes = Sizes(first: first, second: second)
        let (ways, all) = sizes.arrangements(upTo: sizes.product / 2)
        var sum = 0.0
        return ways.map { count in
            sum += count
            return min(1, 2 * sum / all)
        }
    }

    /// The least p value of such sizes: all of one above all of the other; 1 for an empty sample.
    package static func leastPValue(first: Int, second: Int) -> Double {
        guard first > 0, second > 0 else { return 1 }
        let sizes = Sizes(first: first, second: second)
        return min(first, second) <= mostExact
            ? min(1, sizes.exact(0)) : sizes.approximate(Double(sizes.product), tieTerm: 0)
    }
}

private struct Sizes {
    let first: Int
    let second: Int

    var product: Int { first * second }

    /// Twice the probability of a U of at most `u`, which is below its expectation.
    ///
    /// The arrangements by U are coefficients of a Gaussian binomial, a product of (1 − qⁿ⁺ⁱ) ÷ (1
    /// − qⁱ), which are counts after each factor.
    func exact(_ u: Int) -> Double {
        let (ways, all) = arrangements(upTo: u)
        return 2 * ways.reduce(0, +) / all
    }

    /// The numbers of arrangements by U, up to `u`, and of all.
    func arrangements(upTo u: Int) -> (ways: [Double], all: Double) {
        let (small, large) = (min(first, second), max(first, second))
        var ways = Array(repeating: 0.0, count: u + 1)
        ways[0] = 1
        var all = 1.0
        for index in 1...small {
            let step = large + index
            if step <= u {
                for place in stride(from: u, through: step, by: -1) {
                    ways[place] -= ways[place - step]
                }
            }
            if index <= u { for place in index...u { ways[place] += ways[place - index] } }
            all = all * Double(step) / Double(index)
        }
        return (ways, all)
    }

    /// Twice the probability of a U of at least `u`, by the normal distribution.
    func approximate(_ u: Double, tieTerm: Double) -> Double {
        let pairs = Double(first) * Double(second)
        let n = Double(first + second)
        let deviation = (pairs / 12 * ((n + 1) - tieTerm / (n * (n - 1)))).squareRoot()
        let deviate = (u - pairs / 2 - 0.5) / deviation
        return min(1, erfc(deviate / 2.0.squareRoot()))
    }
}
