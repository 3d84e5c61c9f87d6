internal import Foundation
internal import RigLab
internal import RigModel

/// The file for metrics.
package struct MetricsFile {
    /// With symbolic links resolved, so that writing does not replace a link.
    private let path: String
    private let isSpecial: Bool

    /// Checks the existing file, if any.
    ///
    /// - Throws: ``RigError`` with exit code 64 when the path cannot be written.
    init(_ named: String) throws {
        path = URL(fileURLWithPath: named).resolvingSymlinksInPath().path
        let files = FileManager.default
        let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        isSpecial = type.map { $0 != .typeRegular && $0 != .typeDirectory } ?? false
        let folder = path.parentFolder
        guard !named.isEmpty, type != .typeDirectory,
            isSpecial || files.isWritableFile(atPath: folder)
        else {
            throw RigError(
                .usage,
                "cannot write '\(named)'; name a file in a folder that can be written to with "
                    + "--export-openmetrics")
        }
        // A device or a pipe must not be read: that would consume its data, or block.
        guard type == .typeRegular else { return }
        guard let ending = Self.ending(of: path) else {
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

    /// Writes a text: atomically into a file, directly into a device or a pipe.
    ///
    /// - Throws: ``RigError`` with exit code 70 when writing fails.
    func write(_ text: String) throws {
        do {
            guard isSpecial else {
                return try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw RigError(
                .failure,
                "cannot write \(path): \(SystemFailure(error)), or name another file with "
                    + "--export-openmetrics")
        }
    }
}
