internal import Foundation
internal import RigLab
internal import RigModel
package import RigVerdict

extension ComparableRun {
    /// A run in a folder, or the rows in a file anywhere; without facts if it has no manifest.
    package static func stored(_ path: String, console: Console) throws -> ComparableRun {
        guard isLoneFile(path) else {
            let stored = try StoredRun(path)
            let rows = try stored.rows(console: console)
            try PlanCheck.check(rows, against: stored.manifest)
            return ComparableRun(name: path, rows: rows, facts: stored.manifest.facts)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RigError(.data, "cannot read \(path); name a run folder or its iterations.csv")
        }
        return ComparableRun(
            name: path, rows: try StoredRun.rows(in: data, file: path, console: console),
            facts: nil)
    }

    /// True for a file of rows without a manifest beside it.
    private static func isLoneFile(_ path: String) -> Bool {
        guard path.isFile else { return false }
        let beside = URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent("manifest.json").path
        return (path as NSString).lastPathComponent != "iterations.csv"
            || !FileManager.default.fileExists(atPath: beside)
    }
}

extension Manifest {
    /// Facts that can make runs differ in kind and that are not in their rows.
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
