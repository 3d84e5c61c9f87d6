internal import RigModel

/// CSV text (RFC 4180, UTF-8, lines ended by LF), its control characters as of `storable`.
package enum CSVWriter {
    package static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        let field = text.storable
        // Compares bytes: `\r\n` is a single Character, which equals none of the others.
        let special = field.utf8.contains { ",\"\n\r".utf8.contains($0) }
        return special ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }
}

extension Table {
    var csv: String {
        ([heads.map(\.key)] + rows.map { $0.map(\.value.field) }).map(CSVWriter.line).joined()
    }
}
