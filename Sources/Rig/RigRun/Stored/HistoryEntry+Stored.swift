internal import Foundation
package import RigLab
package import RigModel
internal import RigVerdict

extension HistoryFile.Entry {
    /// A stored run, as a history keeps it.
    ///
    /// - Parameters:
    ///   - path: the run folder, or the iterations.csv in it.
    ///   - commit: the name of what was tested; nil for what the run and the environment say.
    ///   - environment: of this process; a CI names there the commit that it tests.
    package static func stored(
        _ path: String, commit: String?, environment: [String: String], console: Console
    ) throws -> HistoryFile.Entry {
        let stored = try StoredRun(path)
        let manifest = stored.manifest
        let shown = ShellWord.quoted(stored.folder.path)
        if let partition = manifest.partition {
            throw RigError(
                .usage,
                "\(stored.folder.path) is \(partition.words): join all parts with rig judge, and add "
                    + "the whole run")
        }
        let rows = try stored.rows(console: console)
        guard rows.count >= manifest.expectedRows, !rows.isEmpty else {
            throw RigError(
                .incomplete,
                "\(stored.folder.path) has \(rows.count) of \(manifest.expectedRows) rows; finish it "
                    + "with rig resume \(shown), and add it then")
        }
        let run = HistoryRun(
            identity: manifest.identity, runID: manifest.runID, startedAt: manifest.startedAt,
            commit: commit ?? manifest.testedCommit(environment), job: manifest.job,
            machine: manifest.machineInWords, judgedBy: manifest.judgedBy,
            status: try StoredRuns.status(of: manifest, rows),
            policies: HistoryFigures.of(rows, policies: manifest.plan.policies.map(\.name)))
        return HistoryFile.Entry(
            run: run, csv: try stored.folder.bytes(of: "iterations.csv").map { Data($0) } ?? Data())
    }
}

extension Manifest {
    /// The facts that are not of the job, but of a single run of it.
    private static let ofRun: Set = [
        "rig", "judge", "commit", "processor", "cores", "file system", "jobs",
    ]

    /// What the run tests, and how.
    package var job: HistoryJob {
        // The name of a program says little where an interpreter runs it.
        let lone = spec.workerOption == nil ? spec.profile : nil
        let named = [
            ("worker", record.worker), ("workload", spec.workload.rawValue),
            ("fault", spec.fault.rawValue),
            ("trigger", record.plan.trigger.rawValue), ("at", record.plan.at ?? ""),
            ("command", lone.map { ShellWord.line($0.command) } ?? ""),
            ("check", spec.profile?.check?.command ?? ""),
        ]
        return HistoryJob(
            named.map { HistoryJob.Fact(name: $0.0, value: $0.1) }
                + facts.filter { !Self.ofRun.contains($0.name) }
                .map { HistoryJob.Fact(name: $0.name, value: $0.value) })
    }

    /// What tells the run from every other.
    fileprivate var identity: String {
        [
            record.runID, record.planDigest, record.startedAt, record.machine.host ?? "",
            record.worker, ShellWord.line(spec.command),
        ].joined(separator: "\n")
    }

    fileprivate var machineInWords: String {
        "\(record.machine.processor), \(record.machine.cores.counted("core")), "
            + "\(record.machine.fileSystem), "
            + currentJobs.counted("job")
    }

    fileprivate var judgedBy: String {
        "\(record.versions["rig"] ?? "unknown"), judge \(record.versions["judge"] ?? "unknown")"
    }

    /// The commit that was tested: the rig's own for its downloader, else what a CI names.
    fileprivate func testedCommit(_ environment: [String: String]) -> String? {
        if record.worker == WorkerProfile.referenceName, let known = record.provenance?.commit,
            known != Provenance.unknown
        {
            return known
        }
        return ["GITHUB_SHA", "CI_COMMIT_SHA"].lazy.compactMap { environment[$0] }
            .first { !$0.isEmpty }
    }
}
