import OriginFaults
import RigModel
import RigVerdict
import Testing

/// A manifest of which only the plan and what was asked for matter.
func makeManifest(
    _ plan: KillPlan, _ spec: RunSpec = RunSpec(), worker: String = "downloader",
    bandwidth: Int64? = nil
) -> Manifest {
    Manifest(
        spec, runID: "run", versions: [:],
        machine: .init(system: "", processor: "", cores: 1, memoryBytes: 1, fileSystem: "ext4"),
        worker: worker, plan: plan,
        video: .init(source: "fixture", length: plan.videoLength, etag: ""), bandwidth: bandwidth,
        startedAt: "")
}

/// The values from which a part's manifest is made; each can be changed.
struct PartMaker {
    var seed: UInt64 = 7
    var iterations = 4
    var policies = [Policy(threshold: ByteSize(bytes: 524_288)), Policy(threshold: nil)]
    var trigger = TriggerKind.random
    var pinned: Trigger?
    var kills = 1
    var video = Manifest.Video(source: "fixture", length: 10_485_760, etag: "\"a\"")
    var versions = ["rig": "1.0.0", "sqlite": "3.40.1"]
    var worker = "downloader"
    var profile: WorkerProfile?
    var fault = Fault.sigkill
    var workload = Workload.download
    var settings: [String: String] = [:]
    var environment: [String: String] = [:]
    var bandwidth: Int64?
    var originFaults: [OriginFault] = []
    var timeLimit: Double?
    var gates = ["violations == 0"]
    var host: String? = "a"
    var processor = "some"
    var startedAt = "2026-01-01T00:00:00Z"
    var jobs = 1
    var resumed: [Manifest.Resumed]?

    func manifest(_ index: Int, of count: Int, runID: String? = nil) throws -> Manifest {
        var refinement = KillPlan.Refinement()
        refinement.kills = kills
        var spec = RunSpec(profile: profile, fault: fault, workload: workload, settings: settings)
        spec.command = [
            "rig", "kill-test", "--partition", "slice:\(index)/\(count)", "--seed", "7", "--", "w",
            "--partition", "x",
        ]
        (spec.originFaults, spec.timeLimit) = (originFaults.unless([]), timeLimit)
        (spec.gates, spec.jobs) = (gates, jobs.unless(1))
        spec.partition = RunPartition(index: index, of: count)
        var manifest = Manifest(
            spec, runID: runID ?? "run-\(index)", versions: versions,
            machine: .init(
                system: "Debian", processor: processor, cores: 2, memoryBytes: 1 << 34,
                fileSystem: "ext4", host: host),
            worker: worker, environment: environment,
            plan: KillPlan(
                seed: seed, iterations: iterations, policies: policies, trigger: trigger,
                pinned: pinned, videoLength: 10_485_760, refinement: refinement),
            video: video, bandwidth: bandwidth, startedAt: startedAt)
        manifest.resumed = resumed
        return manifest
    }

    func part(
        _ index: Int, of count: Int, name: String? = nil, runID: String? = nil,
        change: (inout [IterationRow]) -> Void = { _ in }
    ) throws -> FoundPart {
        let manifest = try manifest(index, of: count, runID: runID)
        var rows = Self.rows(of: manifest)
        change(&rows)
        let part = FoundPart(
            name: name ?? "parts/part-\(index)-of-\(count)", manifest: manifest, rows: rows,
            contents: ["\(manifest)", "\(rows)"])
        return try #require(part)
    }

    static func rows(of manifest: Manifest) -> [IterationRow] {
        manifest.schedule.flatMap { planned in
            planned.kills.map {
                IterationRow(
                    runID: manifest.runID, plan: planned, kill: $0.kill, worker: manifest.worker,
                    workload: manifest.workload.rawValue, fault: manifest.fault,
                    verdict: .inconclusive, reason: "nothing had been received yet")
            }
        }
    }
}

/// The message of the error of joining parts; nil if they fit together.
func objection(
    to parts: [FoundPart], expected: Int? = nil, status: RigModel.ExitStatus = .data
) -> String? {
    refusal(status) { _ = try PartsJoin(parts, expected: expected) }
}
