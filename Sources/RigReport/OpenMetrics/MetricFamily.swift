/// A family of metrics in the text format of OpenMetrics 1.0.
struct MetricFamily: Sendable {
    /// What the numbers of a family are.
    enum Kind: String, Sendable, Hashable {
        case info, gauge, counter, histogram, stateset
    }

    /// Names and values that tell the samples of a family apart.
    typealias Labels = [(name: String, value: String)]

    let name: String
    let kind: Kind
    /// The unit, which the name has to end with; nil for counts of things.
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

    /// Adds a sample; none where the value is not known, and none that is there already: a family
    /// may have each only once.
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

    /// Adds a histogram over values.
    ///
    /// - Parameters:
    ///   - labels: what tells it from others.
    ///   - values: what was measured, in the family's unit.
    ///   - bounds: the upper ends of the buckets, ascending; the one without an end is added.
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

    /// The family with its samples; nothing where it has none.
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

    /// A label's value or a help text, with the three characters escaped that mean something else.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            // Others that end lines or steer terminals the format has no escape for, and many
            // readers take a file line by line.
            default:
                result.unicodeScalars.append(PrintableText.steers(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }

    /// Whole numbers as such, others with as many digits as tell them apart.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
