import Foundation

/// The one-sample Kolmogorov–Smirnov test against the uniform distribution.
///
/// Shows whether kill moments are spread as planned.
package struct KolmogorovSmirnov: Sendable, Hashable {
    /// The greatest distance between the sample's distribution and the uniform one.
    package let statistic: Double
    /// The probability of a distance at least as great if the sample is uniform.
    ///
    package let pValue: Double

    /// Tests a sample against the uniform distribution over an interval; nil for an empty sample or
    /// an interval of width 0.
    package init?(_ sample: some Sequence<Double>, over interval: ClosedRange<Double>) {
        let values = sample.sorted()
        let width = interval.upperBound - interval.lowerBound
        guard !values.isEmpty, width > 0 else { return nil }
        let count = Double(values.count)
        var greatest = 0.0
        for (index, value) in values.enumerated() {
            let expected = min(1, max(0, (value - interval.lowerBound) / width))
            greatest = max(
                greatest, Double(index + 1) / count - expected, expected - Double(index) / count)
        }
        statistic = greatest
        pValue = Self.survival(greatest, count: values.count)
    }

    /// The probability that a uniform sample has at least this distance.
    ///
    /// Exact, by Marsaglia, Tsang and Wang (2003). Below 0.0007 it is twice Smirnov's exact
    /// one-sided sum: samples counted twice, equally far off on both sides, have a probability
    /// below 1e-13 there.
    ///
    /// - Parameters:
    ///   - distance: 0 to 1.
    ///   - count: the size of the sample; at least 1.
    /// - Returns: a probability.
    package static func survival(_ distance: Double, count: Int) -> Double {
        if distance <= 0 { return 1 }
        if distance >= 1 { return 0 }
        if distance * distance * Double(count) >= 4 {
            return min(1, 2 * oneSided(distance, count: count))
        }
        return min(1, max(0, 1 - cumulative(distance, count: count)))
    }

    /// The probability of at least this deviation on one given side (Smirnov 1944).
    private static func oneSided(_ distance: Double, count: Int) -> Double {
        let n = Double(count)
        var sum = 0.0
        for index in 0...count {
            let events = Double(index)
            let rate = distance + events / n
            let misses = (n - events) / n - distance
            guard misses > 0 else { break }
            sum +=
                BinomialDensity.value(events, n - events, x: rate, y: misses) * distance / rate
        }
        return sum
    }

    /// The probability of a distance less than `distance` in a uniform sample.
    private static func cumulative(_ distance: Double, count n: Int) -> Double {
        let k = Int(Double(n) * distance) + 1
        let matrix = transitions(k: k, h: Double(k) - Double(n) * distance)
        let (power, exponent) = matrix.raised(to: n)
        var result = power[k - 1, k - 1]
        var scale = exponent
        for step in 1...n {
            result = result * Double(step) / Double(n)
            if result < 1e-140 {
                result *= 1e140
                scale -= 140
            }
        }
        return result * pow(10, Double(scale))
    }

    /// Marsaglia, Tsang and Wang's matrix H for d = (k − h) ÷ n.
    private static func transitions(k: Int, h: Double) -> SquareMatrix {
        let size = 2 * k - 1
        var matrix = SquareMatrix(size: size)
        for row in 0..<size {
            for column in 0..<size where row - column + 1 >= 0 {
                matrix[row, column] = 1
            }
        }
        for index in 0..<size {
            matrix[index, 0] -= pow(h, Double(index + 1))
            matrix[size - 1, index] -= pow(h, Double(size - index))
        }
        if 2 * h - 1 > 0 {
            matrix[size - 1, 0] += pow(2 * h - 1, Double(size))
        }
        for row in 0..<size {
            for column in 0..<size where row - column + 1 > 0 {
                for factor in 1...(row - column + 1) { matrix[row, column] /= Double(factor) }
            }
        }
        return matrix
    }
}

/// A square matrix of doubles whose powers are rescaled to avoid overflow.
private struct SquareMatrix {
    let size: Int
    private var cells: [Double]

    init(size: Int) {
        self.size = size
        cells = Array(repeating: 0, count: size * size)
    }

    subscript(row: Int, column: Int) -> Double {
        get { cells[row * size + column] }
        set { cells[row * size + column] = newValue }
    }

    func multiplied(by other: SquareMatrix) -> SquareMatrix {
        var product = SquareMatrix(size: size)
        for row in 0..<size {
            for column in 0..<size {
                var sum = 0.0
                for inner in 0..<size { sum += self[row, inner] * other[inner, column] }
                product[row, column] = sum
            }
        }
        return product
    }

    /// The power, and the power of ten by which it must still be multiplied.
    func raised(to power: Int) -> (matrix: SquareMatrix, exponent: Int) {
        guard power > 1 else { return (self, 0) }
        let (half, exponent) = raised(to: power / 2)
        var result = half.multiplied(by: half)
        if !power.isMultiple(of: 2) { result = multiplied(by: result) }
        guard result[size / 2, size / 2] > 1e140 else { return (result, 2 * exponent) }
        for index in result.cells.indices { result.cells[index] *= 1e-140 }
        return (result, 2 * exponent + 140)
    }
}
