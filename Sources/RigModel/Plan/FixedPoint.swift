/// Numbers as text with a fixed count of decimals, the same on every machine and in every locale.
package enum FixedPoint {
    /// Writes a number with so many decimals, rounded to nearest, ties away from zero.
    ///
    /// - Parameters:
    ///   - value: a finite number; anything else gives an empty text, which means "not known".
    ///   - decimals: 0 to 9.
    /// - Returns: the text, with a point and no grouping.
    package static func text(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard scaled.isFinite, abs(scaled) < 9e18 else { return "" }
        let digits = String(Int64(abs(scaled)))
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
