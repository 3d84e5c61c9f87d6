import Foundation

/// What a rank test says: how likely so great a difference is where there is none.
package struct RankTest: Sendable, Hashable {
    /// How the p value was found.
    package enum Method: String, Sendable, Hashable {
        /// By counting every outcome.
        case exact
        /// By the normal distribution.
        case approximate
    }

    /// The two-sided p value, 0 to 1.
    package let pValue: Double
    /// The least p value that samples of this size, with as many equal numbers, can have.
    package let leastPValue: Double
    /// Which way: above 0 when the second sample is the greater one, below 0 when the first is, 0
    /// when neither is.
    package let direction: Double
    /// How the p value was found.
    package let method: Method

    /// What is said of numbers among which there is nothing to tell apart.
    static let noDifference = RankTest(
        pValue: 1, leastPValue: 1, direction: 0, method: .exact)

    init(pValue: Double, leastPValue: Double, direction: Double, method: Method) {
        self.pValue = min(1, max(0, pValue))
        self.leastPValue = min(1, max(0, leastPValue))
        self.direction = direction
        self.method = method
    }

    /// The probability of a normal deviate as far from 0 as this one, on either side.
    static func twoSided(_ deviate: Double) -> Double { erfc(abs(deviate) / 2.0.squareRoot()) }
}
