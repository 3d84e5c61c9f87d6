internal import Foundation

extension TraceReport {
    package func write(to path: String) throws(TraceError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, message: error.localizedDescription)
        }
    }

    /// Reads what ``write(to:)`` wrote; nil if there is no file, as when the tracer was killed.
    package static func read(path: String) throws -> TraceReport? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try JSONDecoder().decode(TraceReport.self, from: bytes)
    }
}
