package import RigModel

/// Why a CSV file cannot be used; each text names the line and says what to do.
package enum CSVError: Error, Hashable, CustomStringConvertible {
    case noHeader
    /// The first line is not the expected one; the column is the first that differs.
    case wrongHeader(column: Int, expected: String?, found: String?)
    case notUTF8(line: Int)
    case badQuoting(line: Int)
    case wrongColumnCount(line: Int, expected: Int, found: Int)
    case unreadable(line: Int, column: String, text: String, expected: String)
    case contradiction(line: Int, problem: String)

    package var description: String {
        switch self {
        case .noHeader:
            "no complete header line; take the file from a run folder"
        case .wrongHeader(let column, let expected, let found):
            "line 1: column \(column) is \(Self.named(found)), not \(Self.named(expected));"
                + " take the file from a run folder of this version of rig"
        case .notUTF8(let line):
            "line \(line): not UTF-8; \(Self.advice)"
        case .badQuoting(let line):
            "line \(line): a quote where none may stand, or that nothing closes; \(Self.advice)"
        case .wrongColumnCount(let line, let expected, let found):
            "line \(line): \(found) fields where the header has \(expected); \(Self.advice)"
        case .unreadable(let line, let column, let text, let expected):
            "line \(line), column \(column): '\(text.prefix(60))' is not \(expected);"
                + " \(Self.advice)"
        case .contradiction(let line, let problem):
            "line \(line): \(problem); \(Self.advice)"
        }
    }

    /// The error that ends a command, with exit code 65; the file's name stands before the line.
    package func rigError(file: String) -> RigError {
        RigError(.data, "\(file): \(description)")
    }

    private static let advice = "restore the file as the run wrote it, or run again"

    private static func named(_ column: String?) -> String {
        column.map { "'\($0.prefix(60))'" } ?? "absent"
    }
}
