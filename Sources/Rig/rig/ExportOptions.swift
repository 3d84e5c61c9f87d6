internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigReport

/// Exports of a judged run for other programs.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the run's figures as OpenMetrics, for Prometheus and its like.",
            valueName: "file"))
    var exportOpenmetrics: String?

    /// Rejects a file that cannot be written, before any kill is done for it.
    ///
    /// - Throws: ``RigError`` with exit code 64.
    func check() throws {
        if let exportOpenmetrics { _ = try MetricsFile(exportOpenmetrics) }
    }

    /// True when no export is requested.
    var isEmpty: Bool { exportOpenmetrics == nil }
}

extension RunDocuments {
    /// Publishes the results where requested: metrics, workflow annotations and the job's page.
    ///
    /// - Parameters:
    ///   - metrics: the file for the figures as OpenMetrics; nil for none.
    ///   - folder: the run's folder, as named in a command.
    ///   - console: receives annotations for continuous integration.
    /// - Throws: ``RigError`` with exit code 70 when a requested file cannot be written.
    func publish(metrics: String?, folder: String, console: Console) throws {
        var failure: (any Error)?
        if let path = metrics {
            do {
                try MetricsFile(path).write(
                    OpenMetrics.text(summary, rows: rows, manifest: manifest))
            } catch {
                failure = error
            }
        }
        if WorkflowReport.readsCommands {
            let commands = WorkflowCommand.annotations(summary, rows: rows, folder: folder)
            for command in commands { console.command(command) }
        }
        WorkflowReport.append(SummaryMarkdown.text(named(folder)), console: console)
        if let failure { throw failure }
    }
}

/// The file for metrics.
struct MetricsFile {
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
        let folder = (path as NSString).deletingLastPathComponent
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
                "cannot write \(path): \(error.localizedDescription); free some space, or name "
                    + "another file with --export-openmetrics")
        }
    }
}

/// A run's events for programs: JSON lines on standard output, written without delay.
struct EventStream {
    let console: Console

    /// Writes an event.
    ///
    /// - Parameter line: the event, including its line end.
    func send(_ line: String) { console.result(line) }
}
