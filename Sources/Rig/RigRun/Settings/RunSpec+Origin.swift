internal import Fixture
internal import FixtureOrigin
package import OriginFaults
internal import RigLab
package import RigModel
package import RigVerdict

extension RunSpec {
    /// Whether the kill-test itself applies a fault, which then starts at the relaunch.
    package func changes(by fault: OriginFault) -> Bool {
        switch workload {
        case .download: fault.isForRelaunch
        case .playback: fault.kind == .changeETag && fault.argument == .number(1)
        case .switching, .twoPlayers, .offlineLibrary, .check: false
        }
    }

    var faultsAtRelaunch: [OriginFault] {
        // A new version is no fault of an answer: see `successors`.
        (originFaults ?? []).filter {
            changes(by: $0) && $0.isForRelaunch && !$0.kind.facts.isNewVersion
        }
    }

    /// The resources: the video, and fixtures of its length for a player that switches.
    func resources(_ video: ReferenceVideo, pace: Int64?) throws -> [Resource] {
        let isDated = (originFaults ?? []).contains { $0.kind.facts.isNewVersion }
        return try (0..<workload.videoCount).map { index in
            let one =
                index == 0
                ? video
                : try ReferenceVideo.fixture(
                    seed: VideoSettings.fixtureSeed + UInt64(index), length: video.bytes.length)
            let resource = Resource(
                source: workload.hasPlayer ? try Self.cheap(one.bytes) : one.bytes,
                contentType: one.contentType, etag: one.etag, bytesPerSecond: pace.map(Double.init))
            return isDated ? resource.dated : resource
        }
    }

    /// The resources from the relaunch on, when the video changes then, or is another one: fixtures of
    /// the same length for a player, data that differs from the first in every byte for a download.
    func successors(_ resources: [Resource]) throws -> [Resource]? {
        if relaunch == .other { return resources.map { $0.nextVersion() } }
        let faults = originFaults ?? []
        if workload == .download {
            return faults.compactMap(\.kind.facts.nextLength).first.map { next in
                resources.map { $0.nextVersion(next) }
            }
        }
        guard faults.contains(where: changes(by:)) else { return nil }
        return try resources.enumerated().map { index, resource in
            let next = try ReferenceVideo.fixture(
                seed: VideoSettings.fixtureSeed + UInt64(resources.count + index),
                length: resource.source.length)
            return Resource(
                source: try Self.cheap(next.bytes), contentType: resource.contentType,
                etag: next.etag, bytesPerSecond: resource.bytesPerSecond)
        }
    }

    /// Small videos in memory: a player's bytes are compared repeatedly; a fixture stays one: only it
    /// tells which blocks are stale.
    private static func cheap(_ source: any VideoSource) throws -> any VideoSource {
        guard source.owner == nil, source.length <= MemoryVideo.most else { return source }
        return try MemoryVideo(copying: source)
    }

    /// The phases that a kill of the plan can land in, under any policy, in a worker's order.
    ///
    /// In `offline-library`, unplanned kills can land in each; without a witness page none is seen.
    func reach(of plan: KillPlan, by worker: WorkerProfile) -> [Phase] {
        guard worker.writesWitness else { return [] }
        if workload == .offlineLibrary, plan.trigger != .phase { return Phase.allCases }
        return Phase.allCases.filter { phase in
            plan.policies.contains { policy in
                let reach = PhaseReach(
                    workload: workload, policies: [policy], videoLength: plan.videoLength,
                    capacity: capacity?.bytes)
                return reach.objection(to: phase) == nil
            }
        }
    }
}

extension Manifest {
    var reach: [Phase] { get throws { try spec.reach(of: record.plan, by: storedProfile) } }

    package var size: RunSize { get throws { RunSize(record.plan, phases: try reach) } }
}
