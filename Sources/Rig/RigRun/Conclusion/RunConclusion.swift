package import RigLab
package import RigModel
package import RigReport
internal import RigVerdict

/// Concludes a run after its campaign: writes its documents and prints its results.
struct RunConclusion {
    let folder: RunFolder
    let manifest: Manifest
    let gates: [Gate]
    /// What gates compare with, read at the start; nil for what the manifest names.
    var baseline: GateBaseline?
    let json: Bool
    let started: ContinuousClock.Instant
    let console: Console
    /// Receives the run's events for programs; nil when programs get at most one document.
    var events: Console?

    /// Writes and prints the results, then throws the error that ended the campaign, if one did.
    func conclude(_ progress: Campaign.Progress) throws -> ExitStatus {
        let ending = progress.ending.early
        let summary = try RunSummary(
            manifest: manifest, rows: progress.rows, gates: gates, ending: ending?.status,
            endingReason: progress.ending.reason, baseline: baseline)
        let documents = RunDocuments(manifest: manifest, rows: progress.rows, summary: summary)
        try documents.write(to: folder)
        let elapsed = (ContinuousClock.now - started).seconds
        if let events {
            for event in RunEvents.conclusion(summary) { events.result(event) }
        } else if !(progress.rows.isEmpty && progress.ending.reason != nil) {
            // Where nothing could be started, there is nothing to say but the error.
            console.result(documents.named(folder.shortPath), json: json, elapsed: elapsed)
        }
        if let timings = progress.timings { console.result(timings) }
        documents.publish(folder: folder.path, console: console)
        let what = manifest.plan.sparesWorkers ? "iterations without a kill" : "kills"
        let count = "\(progress.rows.count) \(what) in \(MetricUnit.readableSeconds(elapsed))"
        let note = "rig: \(count), rows in \(folder.path)/iterations.csv"
        // People have read it in the verdict. Of a refused command there are none.
        if json, !progress.rows.isEmpty { console.note(note) } else { console.detail(note) }
        if case .failed(let error) = progress.ending { throw error }
        return summary.status
    }
}

/// The documents about a run's rows, written to its folder whenever the run has been judged.
package struct RunDocuments {
    let manifest: Manifest
    let rows: [IterationRow]
    let summary: RunSummary

    package init(manifest: Manifest, rows: [IterationRow], summary: RunSummary) {
        (self.manifest, self.rows, self.summary) = (manifest, rows, summary)
    }

    /// Writes every document, each atomically; exit code 70 when one cannot be written.
    func write(to folder: RunFolder) throws {
        let run = reported(from: folder)
        for format in ReportFormat.all { try folder.write(format.text(run), to: format.file) }
    }

    /// The run without stored evidence, its folder named as it is to be in commands.
    package func named(_ path: String) -> ReportedRun {
        ReportedRun(manifest: manifest, rows: rows, summary: summary, folder: path)
    }

    /// The run with the stored evidence of its failed rows.
    package func reported(from folder: RunFolder) -> ReportedRun {
        let details = ReportPage.detailed(rows).compactMap { row in
            let identity = RowIdentity(row)
            return Self.details(of: identity, in: folder).map { (identity, $0) }
        }
        var run = ReportedRun(
            manifest: manifest, rows: rows, summary: summary, folder: folder.path,
            details: Dictionary(details) { first, _ in first })
        if manifest.fault == .powerCutTorn {
            run.unsynced = rows.compactMap { row in
                folder.unsynced(of: RowIdentity(row)).flatMap {
                    try? StableJSON.read([UnsyncedFileFacts].self, from: $0)
                }
            }
        }
        return run
    }

    /// The stored details of a row; nil when there are none.
    ///
    /// Unreadable evidence is shown as not known: the verdict depends only on the rows.
    private static func details(of row: RowIdentity, in folder: RunFolder) -> KillDetails? {
        let place = row.evidencePath
        let log = folder.tail(of: "\(place)/worker.log")
        let text = try? folder.text(of: "\(place)/evidence.json")
        let evidence = text.flatMap { try? StableJSON.read(IterationEvidence.self, from: $0) }
        guard log != nil || evidence != nil else { return nil }
        return KillDetails(workerLog: log, resumption: evidence?.resumption)
    }
}

extension RunDocuments {
    /// Publishes the results to continuous integration: workflow annotations and the job's page.
    package func publish(folder: String, console: Console) {
        if WorkflowReport.readsCommands {
            let commands = WorkflowCommand.annotations(summary, rows: rows, folder: folder)
            for command in commands { console.command(command) }
        }
        WorkflowReport.append(SummaryMarkdown.text(named(folder)), console: console)
    }
}
