internal import RigModel

/// Checkers in a field of a CSV file: their names in the order of ``RigModel/Checker``, with `|`
/// between them.
enum CheckerNames {
    static func text(_ checkers: Set<Checker>) -> String {
        Checker.allCases.filter(checkers.contains).map(\.rawValue).joined(separator: "|")
    }

    /// Nil where the field is not what ``text(_:)`` writes.
    static func checkers(_ field: String) -> Set<Checker>? {
        let named = Set(field.split(separator: "|").compactMap { Checker(rawValue: String($0)) })
        return text(named) == field ? named : nil
    }
}
