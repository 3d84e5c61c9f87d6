internal import Foundation

extension TraceReport {
    /// Writes the report as JSON; the file is there whole or not at all.
    ///
    /// - Parameter path: where it goes.
    /// - Throws: ``TraceError`` when it cannot be written.
    package func write(to path: String) throws(TraceError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, message: error.localizedDescription)
        }
    }

    /// Reads a report.
    ///
    /// - Parameter path: what ``write(to:)`` wrote.
    /// - Returns: the report; nil when there is none, as when the tracer was killed.
    /// - Throws: what the decoder says of a file that is no report.
    package static func read(path: String) throws -> TraceReport? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try JSONDecoder().decode(TraceReport.self, from: bytes)
    }
}
