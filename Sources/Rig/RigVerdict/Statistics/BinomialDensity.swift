import Foundation

/// Loader's saddle-point form of the binomial density, for real numbers of events: the textbook
/// form subtracts logarithms of factorials, and loses nine of sixteen digits at a million trials
/// (Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000).
enum BinomialDensity {
    /// Γ(n + 1) ÷ (Γ(a + 1) · Γ(b + 1)) · xᵃ · yᵇ with n = a + b, to about 1e-13 of it.
    ///
    /// y is 1 − x, passed separately because the difference loses digits near a rate of 0 or 1.
    static func value(_ a: Double, _ b: Double, x: Double, y: Double) -> Double {
        if x <= 0 { return a == 0 ? 1 : 0 }
        if y <= 0 { return b == 0 ? 1 : 0 }
        let n = a + b
        if a == 0 { return exp(n * logarithm(y, complement: x)) }
        if b == 0 { return exp(n * logarithm(x, complement: y)) }
        let exponent =
            stirlingError(n) - stirlingError(a) - stirlingError(b)
            - deviance(a, expected: n * x) - deviance(b, expected: n * y)
        return exp(exponent) * (n / (2 * Double.pi * a * b)).squareRoot()
    }

    /// ln x, computed from 1 − x where that has more digits.
    private static func logarithm(_ x: Double, complement: Double) -> Double {
        complement < 0.5 ? log1p(-complement) : log(x)
    }

    /// The error of Stirling's formula for ln Γ(z + 1), for z > 0.
    private static func stirlingError(_ z: Double) -> Double {
        guard z > 15 else {
            return IncompleteBeta.logGamma(z + 1) - (z + 0.5) * log(z) + z
                - 0.5 * log(2 * Double.pi)
        }
        let square = z * z
        let third = 1 / 1_260 - (1 / 1_680 - 1 / (1_188 * square)) / square
        return (1 / 12 - (1 / 360 - third / square) / square) / z
    }

    /// found · ln(found ÷ expected) + expected − found, without loss of digits where they are
    /// close.
    private static func deviance(_ found: Double, expected: Double) -> Double {
        let difference = found - expected
        guard abs(difference) < 0.1 * (found + expected) else {
            return found * log(found / expected) - difference
        }
        let ratio = difference / (found + expected)
        var sum = difference * ratio
        var term = 2 * found * ratio
        for step in 1...1_000 {
            term *= ratio * ratio
            let next = sum + term / Double(2 * step + 1)
            if next == sum { break }
            sum = next
        }
        return sum
    }
}
