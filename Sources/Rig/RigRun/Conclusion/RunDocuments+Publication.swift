internal import RigReport

extension RunDocuments {
    /// Publishes the results where requested: metrics, workflow annotations and the job's page.
    ///
    /// - Parameters:
    ///   - metrics: the file for the figures as OpenMetrics; nil for none.
    ///   - folder: the run's folder, as named in a command.
    ///   - console: receives annotations for continuous integration.
    /// - Throws: ``RigError`` with exit code 70 when a requested file cannot be written.
    package func publish(metrics: String?, folder: String, console: Console) throws {
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
