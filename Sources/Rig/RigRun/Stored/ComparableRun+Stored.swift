internal import Foundation
package import RigLab
package import RigModel
internal import RigReport
package import RigVerdict

extension ComparableRun {
    /// A run in a folder, or the rows in a file anywhere; without facts if it has no manifest.
    package static func stored(_ path: String, console: Console) throws -> ComparableRun {
        // Rows without a manifest beside them.
        guard path.isFile, !"\(StoredRun.folderPath(path))/manifest.json".isFile else {
            let stored = try StoredRun(path)
            return ComparableRun(
                name: path, rows: try stored.plannedRows(console: console),
                facts: stored.manifest.facts)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RigError(.data, "cannot read \(path); name a run folder or its iterations.csv")
        }
        return ComparableRun(
            name: path, rows: try StoredRun.rows(in: data, file: path, console: console),
            facts: nil)
    }
}

extension Manifest {
    /// Facts that can make runs differ in kind and that are not in their rows; `none` for what a
    /// run usually does without, also in a fact that is new (see ``job``).
    var facts: [ComparableRun.Fact] {
        let (plan, video) = (record.plan, record.video)
        let (machine, versions) = (record.machine, record.versions)
        let faults = (spec.originFaults ?? []).map(\.text).joined(separator: " ")
        let settings = spec.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let values: [(String, String)] = [
            ("video", video.source), ("video length", "\(video.length)"),
            ("kills per iteration", "\(plan.kills)"),
            ("durability", plan.policies.first?.durability.rawValue ?? ""),
            (
                "bandwidth",
                // Measured for each run, and none of its subject.
                record.pacesOnlyKills == true
                    ? "the usual one" : record.bandwidth.map { "\($0)/s" } ?? "unlimited"
            ),
            ("origin", spec.tls == true ? "https" : "http"),
            ("power cut", spec.crashModel?.words ?? "the usual one"),
            ("grace", spec.fault == .term ? (spec.grace ?? .standard).text : "none"),
            ("failing calls", spec.callFailure?.text ?? "none"),
            ("relaunch", (spec.relaunch ?? .once).words),
            ("origin faults", faults.isEmpty ? "none" : faults),
            ("settings", settings.isEmpty ? "none" : settings.joined(separator: " ")),
            ("environment", record.environment.map { ShellWord.assignments($0) } ?? "none"),
            ("rig", versions["rig"] ?? "unknown"), ("judge", versions["judge"] ?? "unknown"),
            ("commit", record.provenance?.commit ?? "unknown"),
            ("processor", machine.processor), ("cores", "\(machine.cores)"),
            ("file system", machine.fileSystem), ("jobs", jobsInWords),
        ]
        return values.map { ComparableRun.Fact(name: $0.0, value: $0.1) }
    }
}

extension HistoryFile.Entry {
    /// A stored run, as a history keeps it; the environment may name the commit that a CI tests.
    package static func stored(
        _ path: String, commit: String?, environment: [String: String], console: Console
    ) throws -> HistoryFile.Entry {
        let stored = try StoredRun(path)
        let manifest = stored.manifest
        let shown = ShellWord.quoted(stored.folder.path)
        if let partition = manifest.partition {
            throw RigError.usage(
                "\(stored.folder.path) is \(partition.words): join all parts with rig judge, and add "
                    + "the whole run")
        }
        let rows = try stored.plannedRows(console: console)
        guard rows.count >= manifest.expectedRows, !rows.isEmpty else {
            throw RigError(
                .incomplete,
                "\(stored.folder.path) has \(rows.count) of \(manifest.expectedRows) rows; finish it "
                    + "with rig resume \(shown), and add it then")
        }
        let (machine, versions) = (manifest.machine, manifest.versions)
        let figures = HistoryFigures.of(rows, policies: manifest.plan.policies.map(\.name))
        let identity = [
            manifest.runID, manifest.planDigest, manifest.startedAt, machine.host ?? "",
            manifest.worker, ShellWord.line(manifest.command),
        ]
        let run = HistoryRun(
            identity: identity.joined(separator: "\n"), runID: manifest.runID,
            startedAt: manifest.startedAt,
            commit: commit ?? manifest.testedCommit(environment), job: manifest.job,
            machine: "\(machine.processor), \(machine.cores.counted("core")), "
                + "\(machine.fileSystem), \(manifest.currentJobs.counted("job"))",
            judgedBy: "\(versions["rig"] ?? "unknown"), judge \(versions["judge"] ?? "unknown")",
            status: try stored.ending(with: figures), policies: figures)
        return HistoryFile.Entry(
            run: run, csv: try stored.folder.bytes(of: "iterations.csv").map { Data($0) } ?? Data())
    }
}

/// What `summary.json` says of a run that a history keeps as well.
private struct ToldSummary: Decodable {
    struct Policy: Decodable, Hashable {
        let policy: String
        let kills: Int
        let inconclusive: Int
        let violations: Int
        let lostBytesMax: Int64?
    }

    let runId: String
    let exitCode: Int32
    let policies: [Policy]
}

extension StoredRun {
    /// The exit code that the run ended with, by its own `summary.json`; exit code 65 when that is
    /// not of these figures.
    ///
    /// It is not judged again: what its gates compared with may be on another machine.
    fileprivate func ending(with figures: [HistoryFigures]) throws -> RigModel.ExitStatus {
        let text = try folder.text(of: "summary.json")
        let own = figures.map {
            ToldSummary.Policy(
                policy: $0.policy, kills: $0.rows, inconclusive: $0.leftOut,
                violations: $0.violations, lostBytesMax: $0.lostBytesMax)
        }
        guard let text, let told = try? StableJSON.read(ToldSummary.self, from: text),
            told.runId == manifest.runID, told.policies == own,
            let status = RigModel.ExitStatus(rawValue: told.exitCode)
        else {
            throw RigError(
                .data,
                "\(folder.path) has no summary.json of its rows, which says how the run ended; write "
                    + "it with rig resume \(ShellWord.quoted(folder.path)), or join its parts again"
            )
        }
        return status
    }
}

extension Manifest {
    /// The facts that are not of the job, but of a single run of it.
    private static let ofRun: Set = [
        "rig", "judge", "commit", "processor", "cores", "file system", "jobs",
    ]

    /// How a fact says that it is as usual, which a job leaves out: the runs before a fact was known
    /// are of the same job.
    private static let usual: Set = ["", "none", "the usual one"]

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
        let all = named.map { HistoryJob.Fact(name: $0.0, value: $0.1) } + facts
        return HistoryJob(
            all.filter { !Self.ofRun.contains($0.name) && !Self.usual.contains($0.value) })
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
