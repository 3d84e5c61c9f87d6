internal import RigModel

/// A column of `iterations.csv`: how a row's value is written and parsed.
struct IterationColumn: Sendable {
    let name: String
    let text: @Sendable (IterationRow) -> String
    /// Sets the row's value from a field; false when the field is not what ``expected`` says.
    let set: @Sendable (inout IterationRow, String) -> Bool
    /// What a field must be, in words.
    let expected: String
    /// The field's type in other formats.
    var kind = Kind.text
    /// How the field follows from other columns; nil if it does not.
    var formula: String?

    /// The type of a field in formats with numbers and Booleans.
    enum Kind: Sendable {
        /// Text; an empty field is an empty text.
        case text
        /// Text; an empty field means unknown.
        case word
        case integer
        case decimal(Int)
        case flag
    }

    /// The row's value in JSON; null when unknown.
    func json(_ row: IterationRow) -> JSONValue {
        let text = text(row)
        switch kind {
        case .text: return .string(text)
        case .word: return text.isEmpty ? .null : .string(text)
        case .integer: return .integer(Int64(text))
        case .decimal(let decimals): return .decimal(Double(text), decimals)
        case .flag: return Bool(text).map { .boolean($0) } ?? .null
        }
    }

    private func being(_ kind: Kind) -> IterationColumn {
        var column = self
        column.kind = kind
        return column
    }

    typealias Path<Value> = any (WritableKeyPath<IterationRow, Value> & Sendable)

    static func string(_ name: String, _ path: Path<String>) -> IterationColumn {
        IterationColumn(
            name: name, text: { $0[keyPath: path] },
            set: { row, text in
                row[keyPath: path] = text
                return true
            }, expected: "a text")
    }

    static func required<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ path: Path<Number>
    ) -> IterationColumn {
        IterationColumn(
            name: name, text: { String($0[keyPath: path]) },
            set: { row, text in
                guard let number: Number = FieldText.integer(text) else { return false }
                row[keyPath: path] = number
                return true
            }, expected: "a whole number"
        ).being(.integer)
    }

    static func integer(_ name: String, _ path: Path<Int64?>) -> IterationColumn {
        optional(
            name, path, expected: "a whole number or empty", text: { String($0) },
            value: { FieldText.integer($0) }
        ).being(.integer)
    }

    /// A figure that summaries add up.
    static func count<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ path: Path<Number?>
    ) -> IterationColumn {
        optional(
            name, path, expected: "a whole number of at most 2^53 or empty", text: { String($0) },
            value: { FieldText.count($0) }
        ).being(.integer)
    }

    static func decimal(_ name: String, _ path: Path<Double?>, decimals: Int) -> IterationColumn {
        optional(
            name, path, expected: "a number or empty",
            text: { FixedPoint.text($0, decimals: decimals) }, value: { FieldText.decimal($0) }
        ).being(.decimal(decimals))
    }

    /// Names of checkers, in their order, separated by `|`.
    static func checkers(_ name: String, _ path: Path<Set<Checker>>) -> IterationColumn {
        IterationColumn(
            name: name, text: { CheckerNames.text($0[keyPath: path]) },
            set: { row, text in
                guard let checkers = CheckerNames.checkers(text) else { return false }
                row[keyPath: path] = checkers
                return true
            }, expected: "names of checkers in their order, with | between them, or empty"
        ).being(.word)
    }

    /// A value that follows from other columns; parsing it sets nothing.
    static func derived(
        _ name: String, decimals: Int, _ path: any (KeyPath<IterationRow, Double?> & Sendable),
        by formula: String
    ) -> IterationColumn {
        var column = IterationColumn(
            name: name,
            text: { row in
                row[keyPath: path].map { FixedPoint.text($0, decimals: decimals) } ?? ""
            },
            set: { _, text in text.isEmpty || FieldText.decimal(text) != nil },
            expected: "a number or empty"
        ).being(.decimal(decimals))
        column.formula = formula
        return column
    }

    static func flag(_ name: String, _ path: Path<Bool?>) -> IterationColumn {
        optional(
            name, path, expected: "true, false or empty", text: { String($0) }, value: { Bool($0) }
        ).being(.flag)
    }

    static func optional<Value: Sendable>(
        _ name: String, _ path: Path<Value?>, expected: String,
        text: @escaping @Sendable (Value) -> String, value: @escaping @Sendable (String) -> Value?
    ) -> IterationColumn {
        IterationColumn(
            name: name, text: { $0[keyPath: path].map(text) ?? "" },
            set: { row, field in
                let known = field.isEmpty ? nil : value(field)
                row[keyPath: path] = known
                return field.isEmpty || known != nil
            }, expected: expected
        ).being(.word)
    }
}
