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
        if let path = metrics {
            let text = OpenMetrics.text(summary, rows: rows, manifest: manifest)
            do {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            } catch {
                throw RigError(
                    .failure,
                    "cannot write \(path): \(error.localizedDescription); name a file in a folder "
                        + "that can be written to with --export-openmetrics")
            }
        }
        if WorkflowReport.readsCommands {
            let commands = WorkflowCommand.annotations(summary, rows: rows, folder: folder)
            for command in commands { console.command(command) }
        }
        WorkflowReport.append(SummaryMarkdown.text(summary), console: console)
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
