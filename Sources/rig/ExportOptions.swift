internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigReport

/// What other programs are given of a run that has been judged.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the run's figures as OpenMetrics, for Prometheus and its like.",
            valueName: "file"))
    var exportOpenmetrics: String?

    /// Refuses a file that cannot be written, before anybody is killed for it.
    ///
    /// - Throws: ``RigError`` with exit code 64.
    func check() throws {
        if let exportOpenmetrics { _ = try MetricsFile(exportOpenmetrics) }
    }

    /// True when nothing is asked for.
    var isEmpty: Bool { exportOpenmetrics == nil }
}

extension RunDocuments {
    /// Hands what has been judged to those who asked for it: metrics, and the job's page.
    ///
    /// - Parameters:
    ///   - metrics: the file for the figures as OpenMetrics; nil for none.
    ///   - folder: the run's folder, as it is to be named in a command.
    ///   - console: where continuous integration reads.
    /// - Throws: ``RigError`` with exit code 70 when a file that was asked for cannot be written.
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
        WorkflowReport.append(SummaryMarkdown.text(summary), console: console)
        if let failure { throw failure }
    }
}

/// The file that metrics are written to.
struct MetricsFile {
    /// Behind all links: a link is to stay one.
    private let path: String
    private let isSpecial: Bool

    /// Looks at what is there.
    ///
    /// - Throws: ``RigError`` with exit code 64 when nothing can be written there.
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
        // A device or a pipe is not read: that would take from it, or wait for it.
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

    /// How all metrics end.
    private static let end = Data("# EOF\n".utf8)

    /// The last bytes of a file, as many as ``end`` has if there are so many; nil when they cannot
    /// be read.
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

    /// Writes a text: whole or not at all into a file, straight into a device or a pipe.
    ///
    /// - Throws: ``RigError`` with exit code 70 when there is no room.
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

/// Events of a run for programs: JSON lines on standard output, each written at once.
struct EventStream {
    let console: Console

    /// Writes an event.
    ///
    /// - Parameter line: the event with its line end.
    func send(_ line: String) { console.result(line) }
}
