import RigModel

/// A JSON document whose keys keep their given order.
///
/// Reports are compared and reviewed as text, so key order, decimals and line breaks are part of
/// the format; unknown numbers are `null`, never 0.
indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case string(String)
    case integer(Int64)
    case decimal(Double, Int)
    case probability(Double)
    case array([JSONValue])
    case object([(String, JSONValue)])

    init(_ value: ReportValue) {
        self =
            switch value {
            case .missing: .null
            case .text(let text): .string(text)
            case .integer(let number): .integer(number)
            case .decimal(let number, let decimals): .decimal(number, decimals)
            case .probability(let number): .probability(number)
            }
    }

    /// The document, indented by two spaces, including a line end.
    var document: String { text(indent: "") + "\n" }

    /// The document on one line, including its line end.
    var line: String { compact + "\n" }

    private var compact: String {
        switch self {
        case .array(let values): "[\(values.map(\.compact).joined(separator: ","))]"
        case .object(let members):
            "{"
                + members.map { "\(Self.quoted($0)):\($1.compact)" }.joined(separator: ",") + "}"
        case .null, .boolean, .string, .integer, .decimal, .probability: text(indent: "")
        }
    }

    private func text(indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .null: return "null"
        case .boolean(let isTrue): return isTrue ? "true" : "false"
        case .string(let string): return Self.quoted(string)
        case .integer(let number): return String(number)
        case .decimal(let number, let decimals):
            let text = FixedPoint.text(number, decimals: decimals)
            return text.isEmpty ? "null" : text
        case .probability(let number):
            let text = ProbabilityText.text(number)
            return text.isEmpty ? "null" : text
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
