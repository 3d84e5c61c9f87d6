internal import RigModel

/// Formats records as CSV text (RFC 4180, UTF-8, lines ended by LF), with control characters in the
/// form of ``RigModel/Swift/String/storable``.
package enum CSVWriter {
    /// One record with its line end; fields are quoted only where they must be.
    package static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        let field = text.storable
        // Compares bytes: `\r\n` is a single Character, which equals none of the others.
        let special = field.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r")
        }
        return special ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }
}

extension Table {
    /// The rows as CSV, below a header.
    var csv: String {
        ([heads.map(\.key)] + rows.map { $0.map(\.value.field) }).map(CSVWriter.line).joined()
    }
}
