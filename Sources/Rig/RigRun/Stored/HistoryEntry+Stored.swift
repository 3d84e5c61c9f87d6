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
    /// - Throws: ``RigError`` with exit code 65 when it cannot be read, 97 when rows of it are
    ///   missing, 64 for a part of a run.
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
        let lone = workerOption == nil ? profile : nil
        let named = [
            ("worker", worker), ("workload", workload.rawValue), ("fault", fault.rawValue),
            ("trigger", plan.trigger.rawValue), ("at", plan.at ?? ""),
            ("command", lone.map { ShellWord.line($0.command) } ?? ""),
            ("check", profile?.check?.command ?? ""),
        ]
        return HistoryJob(
            named.map { HistoryJob.Fact(name: $0.0, value: $0.1) }
                + facts.filter { !Self.ofRun.contains($0.name) })
    }

    /// What tells the run from every other.
    fileprivate var identity: String {
        [runID, planDigest, startedAt, machine.host ?? "", worker, ShellWord.line(command)]
            .joined(separator: "\n")
    }

    fileprivate var machineInWords: String {
        "\(machine.processor), \(machine.cores.counted("core")), \(machine.fileSystem), "
            + currentJobs.counted("job")
    }

    fileprivate var judgedBy: String {
        "\(versions["rig"] ?? "unknown"), judge \(versions["judge"] ?? "unknown")"
    }

    /// The commit of what was tested: of the reference downloader the rig's own, of another program
    /// the one that a CI names.
    fileprivate func testedCommit(_ environment: [String: String]) -> String? {
        if worker == WorkerProfile.referenceName, let known = provenance?.commit,
            known != Provenance.unknown
        {
            return known
        }
        return ["GITHUB_SHA", "CI_COMMIT_SHA"].lazy.compactMap { environment[$0] }
            .first { !$0.isEmpty }
    }
}
