import Foundation
import RigModel

/// Probabilities as CSV and JSON have them.
enum ProbabilityText {
    /// Below this, nine decimals would have fewer than three digits that say something.
    private static let least = 1e-6

    /// Nine decimals, or three significant digits with an exponent: `0.012300000`, `3.12e-12`.
    ///
    /// - Parameter value: from 0 to 1; anything that is not finite gives an empty text, which means
    ///   "not known".
    /// - Returns: a number that CSV and JSON readers take; never 0 for one that is greater.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        guard value > 0, value < least else { return FixedPoint.text(value, decimals: 9) }
        return String(format: "%.2e", value)
    }
}
