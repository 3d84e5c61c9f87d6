internal import RigModel

/// A column of `iterations.csv`: how a row's value is written and parsed.
struct IterationColumn: Sendable {
    let name: String
    let value: @Sendable (IterationRow) -> JSONValue
    /// Sets the row's value from a field; false when the field is not what ``expected`` says.
    let set: @Sendable (inout IterationRow, String) -> Bool
    let expected: String
    /// How the field follows from other columns, so that reading it sets nothing; nil for others.
    var formula: String?

    func text(_ row: IterationRow) -> String { value(row).field }

    typealias Path<Value> = any (WritableKeyPath<IterationRow, Value> & Sendable)

    static func required<Value: Sendable>(
        _ name: String, _ path: Path<Value>, expected: String,
        value: @escaping @Sendable (Value) -> JSONValue,
        parse: @escaping @Sendable (String) -> Value?
    ) -> IterationColumn {
        IterationColumn(
            name: name, value: { value($0[keyPath: path]) },
            set: { row, text in
                guard let known = parse(text) else { return false }
                row[keyPath: path] = known
                return true
            }, expected: expected)
    }

    /// A value that may be unknown, for which its field is empty.
    static func optional<Value: Sendable>(
        _ name: String, _ path: Path<Value?>, expected: String,
        value: @escaping @Sendable (Value) -> JSONValue,
        parse: @escaping @Sendable (String) -> Value?
    ) -> IterationColumn {
        IterationColumn(
            name: name, value: { $0[keyPath: path].map(value) ?? .null },
            set: { row, field in
                let known = field.isEmpty ? nil : parse(field)
                row[keyPath: path] = known
                return field.isEmpty || known != nil
            }, expected: "\(expected) or empty")
    }

    static func string(_ name: String, _ path: Path<String>) -> IterationColumn {
        required(name, path, expected: "a text", value: { .string($0) }, parse: { $0 })
    }

    static func required(_ name: String, _ path: Path<Int>) -> IterationColumn {
        required(
            name, path, expected: "a whole number", value: { .integer($0) },
            parse: { FieldText.integer($0) })
    }

    static func integer(_ name: String, _ path: Path<Int64?>) -> IterationColumn {
        optional(
            name, path, expected: "a whole number", value: { .integer($0) },
            parse: { FieldText.integer($0) })
    }

    /// A figure that summaries add up.
    static func count<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ path: Path<Number?>
    ) -> IterationColumn {
        optional(
            name, path, expected: "a whole number of at most 2^53",
            value: { .integer(Int64($0)) }, parse: { FieldText.count($0) })
    }

    static func decimal(_ name: String, _ path: Path<Double?>, decimals: Int) -> IterationColumn {
        optional(
            name, path, expected: "a number", value: { .decimal($0, decimals) },
            parse: { FieldText.decimal($0) })
    }

    static func seconds(_ name: String, _ path: Path<Double?>) -> IterationColumn {
        decimal(name, path, decimals: IterationRow.secondsDecimals)
    }

    static func flag(_ name: String, _ path: Path<Bool?>) -> IterationColumn {
        optional(name, path, expected: "true, false", value: { .boolean($0) }, parse: { Bool($0) })
    }

    /// Names of checkers, in their order, separated by `|`.
    static func checkers(_ name: String, _ path: Path<Set<Checker>>) -> IterationColumn {
        @Sendable func text(_ checkers: Set<Checker>) -> String {
            Checker.allCases.filter(checkers.contains).map(\.rawValue).joined(separator: "|")
        }
        return required(
            name, path, expected: "names of checkers in their order, with | between them, or empty",
            value: { $0.isEmpty ? .null : .string(text($0)) },
            parse: { field in
                let named = field.split(separator: "|").compactMap { Checker(rawValue: String($0)) }
                return text(Set(named)) == field ? Set(named) : nil
            })
    }
}
