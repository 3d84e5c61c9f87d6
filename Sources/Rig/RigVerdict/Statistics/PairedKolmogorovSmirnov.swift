import Foundation

/// The two-sample Kolmogorov–Smirnov test for two samples of the same size: whether realised values
/// are spread as planned.
///
/// These follow the planned ones one by one, so it errs towards a fit.
package struct PairedKolmogorovSmirnov: Sendable, Hashable {
    package let statistic: Double
    /// The probability of a distance at least as great if both come from one distribution.
    package let pValue: Double

    package init?(_ first: [Double], _ second: [Double]) {
        guard !first.isEmpty, first.count == second.count else { return nil }
        let (first, second) = (first.sorted(), second.sorted())
        let count = first.count
        var (a, b, steps) = (0, 0, 0)
        while a < count, b < count {
            let value = min(first[a], second[b])
            while a < count, first[a] == value { a += 1 }
            while b < count, second[b] == value { b += 1 }
            steps = max(steps, abs(a - b))
        }
        statistic = Double(steps) / Double(count)
        pValue = Self.survival(steps, of: count)
    }

    /// The probability of a distance of at least this many steps (Gnedenko and Korolyuk 1951).
    private static func survival(_ steps: Int, of count: Int) -> Double {
        guard steps > 0 else { return 1 }
        func logFactorial(_ value: Int) -> Double { IncompleteBeta.logGamma(Double(value) + 1) }
        var sum = 0.0
        for index in stride(from: 1, through: count / steps, by: 1) {
            let away = index * steps
            let term = exp(
                2 * logFactorial(count) - logFactorial(count - away) - logFactorial(count + away))
            sum += index.isMultiple(of: 2) ? -term : term
        }
        return min(1, max(0, 2 * sum))
    }
}
