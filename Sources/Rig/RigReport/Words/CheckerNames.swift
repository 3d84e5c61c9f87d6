internal import RigModel

/// Checkers in a CSV field: their names in the order of ``RigModel/Checker``, separated by `|`.
enum CheckerNames {
    static func text(_ checkers: Set<Checker>) -> String {
        Checker.allCases.filter(checkers.contains).map(\.rawValue).joined(separator: "|")
    }

    /// Parses a field; nil unless it is exactly what ``text(_:)`` writes.
    static func checkers(_ field: String) -> Set<Checker>? {
        let named = Set(field.split(separator: "|").compactMap { Checker(rawValue: String($0)) })
        return text(named) == field ? named : nil
    }
}
