import Foundation

/// The result of a rank test: the probability of so great a difference by chance.
package struct RankTest: Sendable, Hashable {
    package let pValue: Double
    /// The least p value possible for samples of this size with the same ties.
    package let leastPValue: Double
    /// Above 0 if the second sample is greater, below 0 if the first is, 0 if neither is.
    package let direction: Double

    static let noDifference = RankTest(pValue: 1, leastPValue: 1, direction: 0)

    init(pValue: Double, leastPValue: Double, direction: Double) {
        self.pValue = min(1, max(0, pValue))
        self.leastPValue = min(1, max(0, leastPValue))
        self.direction = direction
    }

    /// The probability of a normal deviate at least as far from 0, on either side.
    static func twoSided(_ deviate: Double) -> Double { erfc(abs(deviate) / 2.0.squareRoot()) }
}

/// The ranks of numbers, from 1; equal numbers share their mean rank.
struct MidRanks: Sendable, Hashable {
    /// Twice the rank of each number, because a shared rank is a multiple of one half.
    let doubled: [Int]
    /// The size of each group of equal numbers, including groups of one.
    let groups: [Int]

    /// Ranks numbers; none may be NaN.
    init(_ values: [Double]) {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var doubled = Array(repeating: 0, count: values.count)
        var groups: [Int] = []
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            // Ranks start + 1 to end: their mean is (start + 1 + end) ÷ 2.
            for index in order[start..<end] { doubled[index] = start + 1 + end }
            groups.append(end - start)
            start = end
        }
        (self.doubled, self.groups) = (doubled, groups)
    }

    var hasTies: Bool { groups.contains { $0 > 1 } }

    /// Σ (t³ − t) over the groups of equal numbers: the ties' correction of both tests' variance.
    var tieTerm: Double {
        groups.reduce(0) { sum, size in
            let count = Double(size)
            return sum + (count * count * count - count)
        }
    }
}
