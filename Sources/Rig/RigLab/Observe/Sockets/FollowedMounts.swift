internal import FixtureOrigin
internal import RigModel

/// The followed mounts of the origin, and where each begins in the evidence's position space.
struct FollowedMounts: Sendable {
    /// The position at which the answer to a request begins, by the request's number from 1.
    typealias Place = @Sendable (_ ordinal: Int) -> Int64

    var mounts: [Mount] = []
    /// By the paths of the mounts.
    let places: [String: Place]

    /// The position where an answer's video begins; nil for an answer of another mount.
    func base(of answer: ServedAnswer) -> Int64? {
        answer.mountPath.flatMap { places[$0] }.map { $0(answer.ordinal) }
    }

    /// The requests for bytes of the videos, mount by mount, at their places.
    var servedRequests: [ServedRequest] {
        mounts.flatMap { mount in
            places[mount.path].map { mount.servedRequests(at: $0) } ?? []
        }
    }
}

extension FollowedMounts {
    /// Mounts of one origin, each with a fixed first position, which `base` gives by its index.
    init(_ mounts: [Mount], at base: (Int) -> Int64 = { _ in 0 }) {
        var places: [String: Place] = [:]
        for (index, mount) in mounts.enumerated() {
            let start = base(index)
            places[mount.path] = { _ in start }
        }
        self.init(mounts: mounts, places: places)
    }
}

extension Mount {
    /// The requests that asked for bytes of the video, in order, in the model's terms.
    func servedRequests(at place: FollowedMounts.Place = { _ in 0 }) -> [ServedRequest] {
        ledger.compactMap { entry in
            guard let requested = entry.requested else { return nil }
            let base = place(entry.ordinal)
            return ServedRequest(
                requested: requested.lowerBound + base..<requested.upperBound + base,
                servedBytes: entry.servedBytes)
        }
    }
}
