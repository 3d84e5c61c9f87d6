package import RigModel

package struct CSVRecord: Sendable, Hashable {
    /// The line it starts on, counted from 1.
    package let line: Int
    package let fields: [String]
}

/// A strict reader of RFC 4180: UTF-8, lines ended by LF or CR LF, quotes only around fields.
package struct CSVReader {
    private var records: [CSVRecord] = []
    private var fields: [[UInt8]] = []
    private var field: [UInt8] = []
    private var state = State.fieldStart
    private var line = 1
    private var recordLine = 1
    private var isInRecord = false

    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted, carriageReturn
    }

    /// The records, and the number of an unterminated last line, which is none.
    ///
    /// Bytes after the last line end are the rest of a line whose writer was killed; a quote of an
    /// earlier line that is still open there is damage.
    package static func read(
        _ bytes: some Sequence<UInt8>
    ) throws(CSVError) -> (records: [CSVRecord], tornLine: Int?) {
        var reader = CSVReader()
        for byte in bytes { try reader.take(byte) }
        guard reader.isInRecord else { return (reader.records, nil) }
        guard reader.line == reader.recordLine else { throw .badQuoting(line: reader.recordLine) }
        return (reader.records, reader.line)
    }

    private mutating func take(_ byte: UInt8) throws(CSVError) {
        isInRecord = true
        let isQuote = byte == UInt8(ascii: "\"")
        switch state {
        case .fieldStart where isQuote: state = .quoted
        case .fieldStart, .plain:
            if isQuote { throw .badQuoting(line: line) }
            try takeOutside(byte)
        case .quoted where isQuote: state = .quoteInQuoted
        case .quoted:
            if byte == UInt8(ascii: "\n") { line += 1 }
            field.append(byte)
        case .quoteInQuoted where isQuote:
            field.append(byte)
            state = .quoted
        case .quoteInQuoted:
            guard ",\n\r".utf8.contains(byte) else { throw .badQuoting(line: line) }
            try takeOutside(byte)
        case .carriageReturn:
            guard byte == UInt8(ascii: "\n") else { throw .badQuoting(line: line) }
            try endRecord()
        }
    }

    private mutating func takeOutside(_ byte: UInt8) throws(CSVError) {
        switch byte {
        case UInt8(ascii: ","): endField()
        case UInt8(ascii: "\n"): try endRecord()
        case UInt8(ascii: "\r"): state = .carriageReturn
        default:
            field.append(byte)
            state = .plain
        }
    }

    private mutating func endField() {
        fields.append(field)
        field = []
        state = .fieldStart
    }

    private mutating func endRecord() throws(CSVError) {
        endField()
        var texts: [String] = []
        for bytes in fields {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw .notUTF8(line: recordLine)
            }
            texts.append(text)
        }
        records.append(CSVRecord(line: recordLine, fields: texts))
        fields = []
        line += 1
        recordLine = line
        isInRecord = false
    }
}

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
        case .noHeader: "no complete header line; take the file from a run folder"
        case .wrongHeader(let column, let expected, let found):
            "line 1: column \(column) is \(Self.named(found)), not \(Self.named(expected));"
                + " take the file from a run folder of this version of rig"
        case .notUTF8(let line): "line \(line): not UTF-8; \(Self.advice)"
        case .badQuoting(let line):
            "line \(line): a quote where none may stand, or that nothing closes; \(Self.advice)"
        case .wrongColumnCount(let line, let expected, let found):
            "line \(line): \(found) fields where the header has \(expected); \(Self.advice)"
        case .unreadable(let line, let column, let text, let expected):
            "line \(line), column \(column): '\(text.prefix(60))' is not \(expected);"
                + " \(Self.advice)"
        case .contradiction(let line, let problem): "line \(line): \(problem); \(Self.advice)"
        }
    }

    /// The error that ends a command, with exit code 65; the file's name stands before the line.
    package func rigError(file: String) -> RigError { RigError(.data, "\(file): \(description)") }

    private static let advice = "restore the file as the run wrote it, or run again"

    private static func named(_ column: String?) -> String {
        column.map { "'\($0.prefix(60))'" } ?? "absent"
    }
}
