internal import Foundation
internal import RigLab
internal import RigModel

/// The file for metrics.
package struct MetricsFile {
    private let file: NamedFile

    /// Checks the existing file, if any.
    ///
    /// - Throws: ``RigError`` with exit code 64 when the path cannot be written.
    init(_ named: String) throws {
        file = NamedFile(named)
        let folder = file.path.parentFolder
        guard !named.isEmpty, file.kind != .folder,
            [.special, .standardOutput].contains(file.kind)
                || FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder)
        else {
            throw RigError(
                .usage,
                "cannot write '\(named)'; name a file in a folder that can be written to with "
                    + "--export-openmetrics")
        }
        // A device or a pipe must not be read: that would consume its data, or block.
        guard file.kind == .plain else { return }
        guard let ending = Self.ending(of: file.path) else {
            throw RigError(
                .usage,
                "cannot read '\(named)' to see whether metrics are in it; make it readable, or name "
                    + "another file with --export-openmetrics")
        }
        guard ending.isEmpty || ending == Self.end else {
            throw RigError(
                .usage,
                "\(named) holds something else than metrics, which would be lost; name another file "
                    + "with --export-openmetrics")
        }
    }

    /// Rejects a file that cannot be written, before any kill is done for it.
    ///
    /// - Parameter path: the file; nil when none is requested.
    /// - Throws: ``RigError`` with exit code 64.
    package static func check(_ path: String?) throws {
        if let path { _ = try MetricsFile(path) }
    }

    /// The last line of every OpenMetrics text.
    private static let end = Data("# EOF\n".utf8)

    /// The last bytes of a file, at most as many as ``end`` has; nil when they cannot be read.
    private static func ending(of path: String) -> Data? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        do {
            let length = try handle.seekToEnd()
            let count = min(length, UInt64(end.count))
            try handle.seek(toOffset: length - count)
            return try handle.read(upToCount: Int(count)) ?? Data()
        } catch {
            return nil
        }
    }

    /// Writes a text: atomically into a file, directly into a device, a pipe or the standard output.
    ///
    /// - Throws: ``RigError`` with exit code 70 when writing fails.
    func write(_ text: String) throws {
        do {
            try file.write(text)
        } catch {
            throw RigError(
                .failure,
                "cannot write \(file.path): \(SystemFailure(error)), or name another file with "
                    + "--export-openmetrics")
        }
    }
}
