import RigModel

enum Figure {
    static let notKnown = "not known"

    static func count(_ value: some BinaryInteger) -> String {
        VerdictFigure.grouped(Int64(value), by: "\u{202F}")
    }

    static func bytes(_ value: Int64?) -> String { bytes(value.map(Double.init)) }

    static func bytes(_ value: Double?) -> String {
        value.map(MetricUnit.readableBytes) ?? notKnown
    }

    static func seconds(_ value: Double?) -> String {
        value.map(MetricUnit.readableSeconds) ?? notKnown
    }

    static func percent(_ value: Double?, decimals: Int = 2) -> String {
        value.map { "\(FixedPoint.text($0, decimals: decimals)) %" } ?? notKnown
    }

    /// `4.21 % to 5.80 %`.
    static func interval(_ interval: ConfidenceInterval?, _ text: (Double) -> String) -> String {
        guard let interval else { return notKnown }
        let low = interval.low.map(text) ?? "unbounded"
        let high = interval.high.map(text) ?? "unbounded"
        return "\(low) to \(high)"
    }

    /// `4.21 to 5.80 %`.
    static func percentInterval(_ interval: ConfidenceInterval?) -> String {
        guard let interval, interval.low != nil || interval.high != nil else { return notKnown }
        return "\(self.interval(interval) { FixedPoint.text($0, decimals: 2) }) %"
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        "\(self.count(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// At most so many decimals, without zeros at the end: `5`, `0.25`.
    static func trimmed(_ value: Double, decimals: Int = 4) -> String {
        var text = FixedPoint.text(value, decimals: decimals)
        while text.hasSuffix("0"), text.contains(".") { text.removeLast() }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

enum SVG {
    /// A tenth of a unit is finer than a screen shows.
    static func number(_ value: Double) -> String { Figure.trimmed(value, decimals: 1) }

    static func place(_ x: Double, _ y: Double) -> String { "\(number(x)) \(number(y))" }
}
