import RigModel

/// Figures for people who read a run's conclusion once: short, and never rounded into a lie.
enum VerdictFigure {
    /// A size with at most one decimal: `0 B`, `12.5 KB`, `512 KB`, `9.5 MB`.
    static func size(_ bytes: Double) -> String { size(bytes, decimals: 1) }

    static func size(_ bytes: Double, decimals: Int) -> String {
        var value = bytes
        var name = "GB"
        for unit in ["B", "KB", "MB"] {
            if value < 1023.5 {
                name = unit
                break
            }
            value /= 1024
        }
        let isWhole = name == "B" || value >= 99.95
        return "\(Figure.trimmed(value, decimals: isWhole ? 0 : decimals)) \(name)"
    }

    static func size(_ bytes: Int64) -> String { size(Double(bytes)) }

    /// Two sizes, in bytes where they would look the same without being it.
    static func sizes(_ first: Int64, _ second: Int64) -> (first: String, second: String) {
        let short = (size(first), size(second))
        guard first != second, short.0 == short.1 else { return short }
        return ("\(grouped(first)) bytes", "\(grouped(second)) bytes")
    }

    /// `510,976`.
    static func grouped(_ value: Int64, by separator: String = ",") -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += separator }
            text.append(digit)
        }
        return text
    }

    /// A percentage with at most two digits: `0 %`, `7.9 %`, `42 %`.
    static func percent(_ value: Double) -> String {
        if value > 0, value < 0.1 { return "under 0.1 %" }
        if value < 100, value >= 99.5 { return "over 99 %" }
        return "\(Figure.trimmed(value, decimals: abs(value) < 9.95 ? 1 : 0)) %"
    }

    /// A rate's upper bound: `fewer than 3 in 100`, and `in 1000` or more where that says more.
    static func fewerThan(_ rate: Double) -> String {
        func events(_ trials: Double) -> Double { (rate * trials - 1e-9).rounded(.up) }
        var trials = 100.0
        while trials < 1e9, events(trials * 10) < 10 { trials *= 10 }
        return "fewer than \(Int64(max(1, events(trials)))) in \(Int64(trials))"
    }

    /// A measured value as short as its limit permits: they look the same only if they are.
    static func text(_ value: Double, beside limit: Double, in unit: MetricUnit) -> String {
        let short = text(value, unit)
        return value != limit && short == text(limit, unit) ? unit.text(value) : short
    }

    private static func text(_ value: Double, _ unit: MetricUnit) -> String {
        switch unit {
        case .bytes: value < 0 ? "-\(size(-value))" : size(value)
        case .percent: percent(value)
        case .fraction: percent(value * 100)
        case .count, .seconds: unit.text(value)
        }
    }

    /// `9.4 s`, `2 min 5 s`.
    static func duration(_ seconds: Double) -> String {
        seconds < 59.95
            ? "\(FixedPoint.text(seconds, decimals: 1)) s" : MetricUnit.readableSeconds(seconds)
    }
}

extension Phase {
    /// What the worker was doing, after `killed while`.
    var activity: String { self == .committing ? "saving" : rawValue }

    var subject: String {
        switch self {
        case .starting: "start-up"
        case .recovering: "recovery"
        case .connecting: "connecting"
        case .receiving: "receiving"
        case .committing: "saving"
        case .checkpointing: "checkpoints"
        case .evicting: "eviction"
        case .cancelling: "cancelling"
        case .completing: "completion"
        case .idle: "idling"
        }
    }
}
