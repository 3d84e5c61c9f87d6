import Foundation

/// The regularised incomplete beta function, the basis of binomial bounds.
package enum IncompleteBeta {
    /// I_x(a, b), to a relative error of about 1e-12 for a + b up to a million, by the continued
    /// fraction of Numerical Recipes 6.4; pass the complement if x is so close to 1 that 1 − x has
    /// lost its digits.
    package static func regularised(
        _ x: Double, complement: Double? = nil, a: Double, b: Double
    ) -> Double {
        if x <= 0 { return 0 }
        let y = complement ?? 1 - x
        if y <= 0 { return 1 }
        let front = BinomialDensity.value(a, b, x: x, y: y) * (a * b / (a + b))
        if x < (a + 1) / (a + b + 2) { return front * continuedFraction(x, a: a, b: b) / a }
        return 1 - front * continuedFraction(y, a: b, b: a) / b
    }

    /// The x at which I_x(a, b) takes a value, by bisection: slow but simple.
    package static func inverse(_ value: Double, a: Double, b: Double) -> Double {
        if value <= 0 { return 0 }
        if value >= 1 { return 1 }
        var low = 0.0
        var high = 1.0
        // Until no number is between the two: even a rate of one in a million has all its digits.
        while true {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { return middle }
            if regularised(middle, a: a, b: b) < value { low = middle } else { high = middle }
        }
    }

    /// ln Γ(x) for x > 0.
    static func logGamma(_ x: Double) -> Double { lgamma(x) }

    private static func continuedFraction(_ x: Double, a: Double, b: Double) -> Double {
        // Lentz's method; `tiny` replaces a zero denominator.
        let tiny = 1e-300
        func guarded(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / guarded(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...100_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / guarded(1 + even * d)
            c = guarded(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / guarded(1 + odd * d)
            c = guarded(1 + odd / c)
            result *= d * c
            if abs(d * c - 1) < 1e-15 { break }
        }
        return result
    }
}
