import RigModel

/// A value that each format writes in its own way, or a JSON document, whose keys keep their order.
indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case string(String)
    case integer(Int64)
    /// A number and how many decimals it is written with.
    case decimal(Double, Int)
    /// A value from 0 to 1; only 0 is written as 0, however small the value.
    case probability(Double)
    case size(Int64)
    /// Bytes, calculated, with the decimals that programs get.
    case bytes(Double, Int)
    case percent(Double)
    /// The upper bound of a fraction of 1.
    case rate(Double)
    case seconds(Double)
    case array([JSONValue])
    case object([(String, JSONValue)])

    // Null for a value that is not known.

    static func string(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    static func integer(_ value: (some BinaryInteger)?) -> JSONValue {
        value.map { .integer(Int64($0)) } ?? .null
    }
    static func decimal(_ value: Double?, _ decimals: Int) -> JSONValue {
        value.map { .decimal($0, decimals) } ?? .null
    }
    static func probability(_ value: Double?) -> JSONValue {
        value.map { .probability($0) } ?? .null
    }
    static func size(_ value: Int64?) -> JSONValue { value.map { .size($0) } ?? .null }
    static func bytes(_ value: Double?, _ decimals: Int) -> JSONValue {
        value.map { .bytes($0, decimals) } ?? .null
    }
    static func percent(_ value: Double?) -> JSONValue { value.map { .percent($0) } ?? .null }
    static func rate(_ value: Double?) -> JSONValue { value.map { .rate($0) } ?? .null }
    static func seconds(_ value: Double?) -> JSONValue { value.map { .seconds($0) } ?? .null }

    init(_ members: KeyValuePairs<String, any JSONWritable>) {
        self = .object(Self.members(members))
    }

    static func members(
        _ members: KeyValuePairs<String, any JSONWritable>
    ) -> [(String, JSONValue)] { members.map { ($0.key, $0.value.json) } }

    /// The value on a terminal and in Markdown; `-` when unknown.
    var plain: String {
        switch self {
        case .null: "-"
        case .decimal(let value, _), .percent(let value): FixedPoint.text(value, decimals: 2)
        case .size(let bytes): MetricUnit.readableBytes(Double(bytes))
        case .bytes(let bytes, _): MetricUnit.readableBytes(bytes)
        case .rate(let value): FixedPoint.upperBound(value * 100, decimals: 2) + " %"
        case .seconds(let seconds): MetricUnit.readableSeconds(seconds)
        case .boolean, .string, .integer, .probability, .array, .object: field
        }
    }

    /// The value on the page, where percentages have their sign.
    func onPage(absent: String) -> String {
        switch self {
        case .null: absent
        case .integer(let count): Figure.count(count)
        case .percent(let value): Figure.percent(value)
        case .rate(let value): VerdictFigure.fewerThan(value)
        default: plain
        }
    }

    var document: String { text(indent: "") + "\n" }

    var line: String { compact + "\n" }

    var field: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .decimal(let value, let decimals): FixedPoint.text(value, decimals: decimals)
        case .probability(let value): ProbabilityText.text(value)
        case .bytes(let value, let decimals): FixedPoint.text(value, decimals: decimals)
        case .percent(let value): FixedPoint.text(value, decimals: 3)
        case .rate(let value), .seconds(let value): FixedPoint.text(value, decimals: 6)
        case .boolean, .integer, .size, .array, .object: compact
        }
    }

    private var compact: String {
        switch self {
        case .array(let values): "[\(values.map(\.compact).joined(separator: ","))]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0)):\($1.compact)" }.joined(separator: ",") + "}"
        default: text(indent: "")
        }
    }

    private func text(indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .null, .decimal, .probability, .bytes, .percent, .rate, .seconds:
            return field.isEmpty ? "null" : field
        case .boolean(let isTrue): return isTrue ? "true" : "false"
        case .string(let string): return Self.quoted(string)
        case .integer(let number), .size(let number): return String(number)
        case .array(let values):
            let lines = values.map { deeper + $0.text(indent: deeper) }
            return Self.block("[", lines, "]", indent: indent)
        case .object(let members):
            let lines = members.map { name, value in
                "\(deeper)\(Self.quoted(name)): \(value.text(indent: deeper))"
            }
            return Self.block("{", lines, "}", indent: indent)
        }
    }

    private static func block(
        _ open: String, _ lines: [String], _ close: String, indent: String
    ) -> String {
        guard !lines.isEmpty else { return open + close }
        return "\(open)\n\(lines.joined(separator: ",\n"))\n\(indent)\(close)"
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // U+0085, U+2028 and U+2029 are line ends for some line-based readers.
            case "\u{0}"..<"\u{20}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        // GitHub's runner interprets this in any line as a command.
        return text.replacing("##[", with: "##\\u005b") + "\""
    }
}

/// What stands in JSON as it is; what is not known is null.
protocol JSONWritable {
    var json: JSONValue { get }
}

extension JSONValue: JSONWritable { var json: JSONValue { self } }
extension String: JSONWritable { var json: JSONValue { .string(self) } }
extension Bool: JSONWritable { var json: JSONValue { .boolean(self) } }
extension Int: JSONWritable { var json: JSONValue { .integer(Int64(self)) } }
extension Int32: JSONWritable { var json: JSONValue { .integer(Int64(self)) } }
extension Int64: JSONWritable { var json: JSONValue { .integer(self) } }

extension Optional: JSONWritable where Wrapped: JSONWritable {
    var json: JSONValue { map(\.json) ?? .null }
}

extension Array: JSONWritable where Element: JSONWritable {
    var json: JSONValue { .array(map(\.json)) }
}

extension Double {
    func decimals(_ count: Int) -> JSONValue { .decimal(self, count) }
}
