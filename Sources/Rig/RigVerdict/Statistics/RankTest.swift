import Foundation

/// The result of a rank test: the probability of so great a difference by chance.
package struct RankTest: Sendable, Hashable {
    /// The two-sided p value, 0 to 1.
    package let pValue: Double
    /// The least p value possible for samples of this size with the same ties.
    package let leastPValue: Double
    /// Above 0 if the second sample is greater, below 0 if the first is, 0 if neither is.
    package let direction: Double

    /// The result for samples without any difference.
    static let noDifference = RankTest(pValue: 1, leastPValue: 1, direction: 0)

    init(pValue: Double, leastPValue: Double, direction: Double) {
        self.pValue = min(1, max(0, pValue))
        self.leastPValue = min(1, max(0, leastPValue))
        self.direction = direction
    }

    /// The probability of a normal deviate at least as far from 0, on either side.
    static func twoSided(_ deviate: Double) -> Double { erfc(abs(deviate) / 2.0.squareRoot()) }
}
