internal import Fixture
internal import FixtureOrigin
package import OriginFaults
internal import RigLab
package import RigModel

/// Facts that follow from a workload and its settings, of a command line or a stored run.
package protocol WorkloadFacts {
    var workload: Workload { get }
    /// The `--set` values, by key.
    var values: [String: String] { get }
}

extension Manifest: WorkloadFacts {
    package var values: [String: String] { settings ?? [:] }
}

extension WorkloadFacts {
    /// The worker's capacity limit; nil when it was not set.
    package var capacity: ByteSize? { values["capacity"].flatMap { ByteSize($0) } }

    /// Whether the kill-test itself applies a fault, which then starts at the relaunch.
    package func changes(by fault: OriginFault) -> Bool {
        switch workload {
        case .download: fault.isForRelaunch
        case .playback: fault.kind == .changeETag && fault.argument == .number(1)
        case .switching, .twoPlayers, .offlineLibrary, .check: false
        }
    }

    /// The origin's faults from the relaunch on.
    func faultsAtRelaunch(_ faults: [OriginFault]) -> [OriginFault] {
        // A new version is no fault of an answer: see `successors`.
        faults.filter { changes(by: $0) && $0.isForRelaunch && !$0.kind.facts.isNewVersion }
    }

    /// The resources of the origin: the video, and further fixtures of its length for a player that
    /// switches between videos.
    ///
    /// - Throws: ``RigError`` with exit code 64 when the video is too short for a fixture.
    func resources(
        _ video: ReferenceVideo, pace: Int64?, faults: [OriginFault] = []
    ) throws -> [Resource] {
        let isDated = faults.contains { $0.kind.facts.isNewVersion }
        return try (0..<workload.videoCount).map { index in
            let one =
                index == 0
                ? video
                : try ReferenceVideo.fixture(
                    seed: VideoSettings.fixtureSeed + UInt64(index), length: video.bytes.length)
            let resource = Resource(
                source: workload.hasPlayer ? try Self.cheap(one.bytes) : one.bytes,
                contentType: one.contentType, etag: one.etag,
                bytesPerSecond: pace.map(Double.init))
            return isDated ? resource.dated : resource
        }
    }

    /// The resources from the relaunch on, when the video changes then: fixtures of the same length
    /// for a player, data that differs from the first in every byte for a download.
    ///
    /// - Throws: ``RigError`` with exit code 64 when the video is too short for a fixture.
    func successors(_ resources: [Resource], faults: [OriginFault]) throws -> [Resource]? {
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

    /// Copies small videos to memory, since a player's bytes are compared repeatedly.
    ///
    /// A fixture keeps its bytes itself, and must stay one: only a fixture tells which blocks are
    /// stale.
    private static func cheap(_ source: any VideoSource) throws -> any VideoSource {
        guard source.owner == nil, source.length <= MemoryVideo.most else { return source }
        return try MemoryVideo(copying: source)
    }
}
