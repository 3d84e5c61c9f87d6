/// Numbers as text with a fixed number of decimals, identical on every machine and in every locale.
package enum FixedPoint {
    /// The nearest number with that many decimals (0 to 9), ties away from zero.
    package static func rounded(_ value: Double, decimals: Int) -> Double {
        let scale = scale(decimals)
        return (value * scale).rounded() / scale
    }

    private static func scale(_ decimals: Int) -> Double {
        (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    }

    /// Writes an upper bound, rounded up, so that the text is none that the value exceeds.
    package static func upperBound(_ value: Double, decimals: Int) -> String {
        let scale = scale(decimals)
        // A product may be too large in its last bit.
        let digits = (value * scale * (1 - 1e-12)).rounded(.up)
        return text(digits / scale, decimals: decimals)
    }

    /// Writes a number with that many decimals (0 to 9); one that is not finite gives none.
    package static func text(_ value: Double, decimals: Int) -> String {
        let scaled = (value * scale(decimals)).rounded()
        guard scaled.isFinite, abs(scaled) < 9e18 else { return "" }
        let digits = String(Int64(abs(scaled)))
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
