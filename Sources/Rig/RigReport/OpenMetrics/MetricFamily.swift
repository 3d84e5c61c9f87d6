/// A family of metrics in the text format of OpenMetrics 1.0.
struct MetricFamily: Sendable {
    /// The type of a family's samples.
    enum Kind: String, Sendable, Hashable {
        case info, gauge, counter, histogram, stateset
    }

    /// Names and values that identify the samples of a family.
    typealias Labels = [(name: String, value: String)]

    let name: String
    let kind: Kind
    /// The unit, which must be the suffix of the name; nil for counts.
    let unit: String?
    let help: String
    private var lines: [String] = []
    private var seen: Set<String> = []

    init(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
    }

    /// Adds a sample, unless its value is unknown or its labels are already present: a family may
    /// have each only once.
    mutating func add(_ labels: Labels, _ value: Double?) {
        guard let value, value.isFinite else { return }
        guard seen.insert(Self.text(labels)).inserted else { return }
        let suffix =
            switch kind {
            case .info: "_info"
            case .counter: "_total"
            case .gauge, .stateset, .histogram: ""
            }
        lines.append("\(name)\(suffix)\(Self.text(labels)) \(Self.number(value))\n")
    }

    /// Adds a histogram of values.
    ///
    /// - Parameters:
    ///   - labels: the labels that identify it.
    ///   - values: the measured values, in the family's unit.
    ///   - bounds: the upper ends of the buckets, ascending; an unbounded one is added.
    mutating func add(_ labels: Labels, _ values: [Double], bounds: [Double]) {
        guard seen.insert(Self.text(labels)).inserted else { return }
        for bound in bounds {
            let count = values.count { $0 <= bound }
            lines.append(
                "\(name)_bucket\(Self.text(labels + [("le", String(bound))])) \(count)\n")
        }
        lines.append("\(name)_bucket\(Self.text(labels + [("le", "+Inf")])) \(values.count)\n")
        lines.append("\(name)_count\(Self.text(labels)) \(values.count)\n")
        lines.append("\(name)_sum\(Self.text(labels)) \(Self.number(values.reduce(0, +)))\n")
    }

    /// The family with its samples; empty if it has none.
    var text: String {
        guard !lines.isEmpty else { return "" }
        return "# TYPE \(name) \(kind.rawValue)\n"
            + (unit.map { "# UNIT \(name) \($0)\n" } ?? "")
            + "# HELP \(name) \(Self.escaped(help))\n" + lines.joined()
    }

    private static func text(_ labels: Labels) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            + "}"
    }

    /// Escapes the three special characters in a label's value or a help text.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            // The format cannot escape other line ends and terminal controls, and many readers
            // process a file line by line.
            default:
                result.unicodeScalars.append(PrintableText.steers(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }

    /// Whole numbers without decimals, others with enough digits to be exact.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
