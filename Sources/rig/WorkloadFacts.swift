internal import Fixture
internal import FixtureOrigin
internal import RigLab
internal import RigModel

/// What follows from a workload and its settings, given on the command line or in a stored run.
protocol WorkloadFacts {
    /// What the worker does.
    var workload: Workload { get }
    /// What `--set` gave, by its keys.
    var values: [String: String] { get }
}

extension Manifest: WorkloadFacts {
    var values: [String: String] { settings ?? [:] }
}

extension WorkloadFacts {
    /// An origin that is faster than its player would have sent the whole video before the second
    /// request: with a player it goes at this pace, in bytes per second, unless another is given.
    static var playerPace: Int64 { 64 << 20 }

    /// The most bytes that the worker is to keep; nil when that was not set.
    var capacity: ByteSize? { values["capacity"].flatMap { ByteSize($0) } }

    /// Whether a fault is carried out by the kill-test itself: it sets in at the relaunch.
    func changes(by fault: OriginFault) -> Bool {
        switch workload {
        // One that strikes only so often may have struck in vain by the time that it matters.
        case .download: fault.kind.isForRelaunch && fault.times == nil
        case .playback: fault.kind == .changeETag && fault.argument == .number(1)
        case .switching, .offlineLibrary: false
        }
    }

    /// What the origin does wrong from the relaunch on.
    func faultsAtRelaunch(_ faults: [OriginFault]) -> [HTTPFault] {
        OriginFaults(faults.filter(changes(by:)).filter { $0.kind.isForRelaunch }).http
    }

    /// The origin's pace.
    func pace(_ given: Rate?) -> Int64? {
        given?.bytesPerSecond ?? (workload.hasPlayer ? Self.playerPace : nil)
    }

    /// What the origin serves: the video, or as many fixtures of its length as a player switches
    /// between.
    ///
    /// - Throws: ``RigError`` with exit code 64 when no fixture can be so small.
    func resources(
        _ video: ReferenceVideo, pace: Int64?, faults: [OriginFault] = []
    ) throws -> [Resource] {
        let isDated = faults.contains { $0.kind.isNewVersion }
        return try (0..<workload.videoCount).map { index in
            let one =
                index == 0
                ? video
                : try ReferenceVideo.fixture(
                    seed: VideoOptions.fixtureSeed + UInt64(index), length: video.bytes.length)
            let resource = Resource(
                source: workload.hasPlayer ? try Self.cheap(one.bytes) : one.bytes,
                contentType: one.contentType, etag: one.etag,
                bytesPerSecond: pace.map(Double.init))
            return isDated ? resource.dated : resource
        }
    }

    /// What the origin serves from the relaunch on, when the video changes then: for a player a
    /// fixture of the same length, for a download what differs from the first in every byte.
    ///
    /// - Throws: ``RigError`` with exit code 64 when no fixture can be so small.
    func successors(_ resources: [Resource], faults: [OriginFault]) throws -> [Resource]? {
        if workload == .download {
            return faults.first { $0.kind.isNewVersion }.map { fault in
                resources.map { $0.nextVersion(isShortened: fault.kind == .shortened) }
            }
        }
        guard faults.contains(where: changes(by:)) else { return nil }
        return try resources.enumerated().map { index, resource in
            let next = try ReferenceVideo.fixture(
                seed: VideoOptions.fixtureSeed + UInt64(resources.count + index),
                length: resource.source.length)
            return Resource(
                source: try Self.cheap(next.bytes), contentType: resource.contentType,
                etag: next.etag, bytesPerSecond: resource.bytesPerSecond)
        }
    }

    /// A player's bytes are compared again and again: small videos are read once.
    ///
    /// A fixture keeps its bytes itself, and has to stay one: only so is it known which of its blocks
    /// are stale.
    private static func cheap(_ source: any VideoSource) throws -> any VideoSource {
        guard source.owner == nil, source.length <= MemoryVideo.most else { return source }
        return try MemoryVideo(copying: source)
    }
}
