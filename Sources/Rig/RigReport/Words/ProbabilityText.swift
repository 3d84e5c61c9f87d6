import Foundation
import RigModel

/// Formats probabilities for CSV and JSON.
enum ProbabilityText {
    /// Below this, nine decimals would leave fewer than three significant digits.
    private static let least = 1e-6

    /// Nine decimals, or three significant digits with an exponent: `0.012300000`, `3.12e-12`.
    ///
    /// It is 0 only for a value of 0, and empty, which means unknown, for one that is not finite.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        guard value > 0, value < least else { return FixedPoint.text(value, decimals: 9) }
        return String(format: "%.2e", value)
    }
}
