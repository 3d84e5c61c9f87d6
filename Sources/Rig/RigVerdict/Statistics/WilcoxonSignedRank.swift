import Foundation

/// The Wilcoxon signed-rank test: whether paired differences are centred on 0.
///
/// Differences of 0 are dropped (SciPy's `zero_method='wilcox'`), equal ones share their ranks. Up
/// to ``mostExact`` the p value is exact, also with shared ranks: SciPy's `auto` is normal then,
/// and overstates pairs that differ by one chunk. Above, it is normal, corrected for ties.
package enum WilcoxonSignedRank {
    /// The most differences other than 0 for which every choice of signs is counted.
    package static let mostExact = 50

    /// Tests differences, second minus first, without those not finite; p = 1 when no pair differs.
    package static func test(_ differences: [Double]) -> RankTest {
        let ranked = Ranked(differences)
        guard ranked.count > 0 else { return .noDifference }
        return ranked.count <= mostExact ? ranked.exact : ranked.approximate
    }

    /// Tests differences with the normal distribution, however few they are.
    package static func approximateTest(_ differences: [Double]) -> RankTest {
        let ranked = Ranked(differences)
        return ranked.count > 0 ? ranked.approximate : .noDifference
    }

    /// The least p value for this many pairs: when all differ in the same direction; 1 for no pair.
    package static func leastPValue(pairs: Int) -> Double {
        guard pairs > 0 else { return 1 }
        guard pairs > mostExact else { return pow(2, Double(1 - pairs)) }
        return Ranked((1...pairs).map(Double.init)).approximate.pValue
    }
}

private struct Ranked {
    private let ranks: MidRanks
    /// Twice the sum of the ranks of the positive differences.
    private let doubledPlus: Int

    init(_ differences: [Double]) {
        let known = differences.filter { $0.isFinite && $0 != 0 }
        ranks = MidRanks(known.map(abs))
        doubledPlus = zip(known, ranks.doubled).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    }

    var count: Int { ranks.doubled.count }

    /// Twice the sum of all ranks: n (n + 1), regardless of shared ranks.
    private var doubledTotal: Int { count * (count + 1) }

    /// How far the positive ranks' sum is above its expectation.
    private var direction: Double { Double(2 * doubledPlus - doubledTotal) }

    var exact: RankTest {
        let smaller = min(doubledPlus, doubledTotal - doubledPlus)
        // By the positive ranks' doubled sum, the number of sign choices: at most 2^50, exact in a
        // Double.
        var ways = Array(repeating: 0.0, count: doubledTotal / 2 + 1)
        ways[0] = 1
        var reached = 0
        for rank in ranks.doubled where rank < ways.count {
            reached = min(reached + rank, ways.count - 1)
            for sum in stride(from: reached, through: rank, by: -1) {
                ways[sum] += ways[sum - rank]
            }
        }
        let tail = ways[...smaller].reduce(0, +)
        let all = pow(2, Double(count))
        return RankTest(pValue: 2 * tail / all, leastPValue: 2 / all, direction: direction)
    }

    var approximate: RankTest {
        let n = Double(count)
        let deviation = ((n * (n + 1) * (2 * n + 1) - ranks.tieTerm / 2) / 24).squareRoot()
        let p = { (sum: Int) in
            RankTest.twoSided((Double(sum) / 2 - Double(doubledTotal) / 4) / deviation)
        }
        return RankTest(pValue: p(doubledPlus), leastPValue: p(doubledTotal), direction: direction)
    }
}
