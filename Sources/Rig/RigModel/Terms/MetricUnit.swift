/// The unit of a measured value, and its readable form.
package enum MetricUnit: String, Sendable, Hashable, Codable, CaseIterable {
    case count
    case bytes
    /// Hundredths: 5 means 5 %.
    case percent
    /// A fraction of 1: 0.05 means 5 %.
    case fraction
    case seconds

    /// The value with its unit, exact enough to compare with a limit: `524289 (512.0 KB)`.
    package func text(_ value: Double) -> String {
        // A difference can be negative.
        guard value >= 0 else { return value < 0 ? "-\(text(-value))" : "" }
        return switch self {
        case .count: Self.plain(value)
        case .bytes:
            value < 1024
                ? "\(Self.plain(value)) B" : "\(Self.plain(value)) (\(Self.readableBytes(value)))"
        case .percent: "\(FixedPoint.text(value, decimals: 3)) %"
        case .fraction: "\(FixedPoint.text(value * 100, decimals: 3)) %"
        case .seconds: Self.readableSeconds(value)
        }
    }

    /// Readable bytes with one decimal: `740 B`, `493.2 KB`, `9.5 MB`; 1 KB = 1024 bytes.
    package static func readableBytes(_ bytes: Double) -> String {
        var value = bytes
        for unit in ["B", "KB", "MB"] {
            // 1023.95 would be rounded to 1024.0 instead of 1.0 of the next unit.
            if value < 1023.95 {
                return "\(FixedPoint.text(value, decimals: unit == "B" ? 0 : 1)) \(unit)"
            }
            value /= 1024
        }
        return "\(FixedPoint.text(value, decimals: 1)) GB"
    }

    /// Readable seconds: `12.3 ms`, `1.20 s`, `2 min 5 s`.
    package static func readableSeconds(_ seconds: Double) -> String {
        if seconds < 0.9995 { return "\(FixedPoint.text(seconds * 1000, decimals: 1)) ms" }
        if seconds < 59.995 { return "\(FixedPoint.text(seconds, decimals: 2)) s" }
        guard seconds.isFinite, seconds < 1e15 else { return "" }
        let whole = Int64(seconds.rounded())
        return "\(whole / 60) min \(whole % 60) s"
    }

    private static func plain(_ value: Double) -> String {
        FixedPoint.text(value, decimals: value == value.rounded() ? 0 : 1)
    }
}

extension BinaryInteger {
    /// `1 kill`, `2 kills`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
