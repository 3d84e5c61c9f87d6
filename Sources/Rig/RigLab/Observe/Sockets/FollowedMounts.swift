internal import FixtureOrigin
internal import RigModel

/// The followed mounts of the origin, and where each begins in the evidence's position space.
struct FollowedMounts: Sendable {
    /// The position at which the answer to a request begins, by the request's number from 1.
    typealias Place = @Sendable (_ ordinal: Int) -> Int64

    private let places: [String: Place]

    /// Mounts of one origin, each with a fixed first position, which `base` gives by its index.
    init(_ mounts: [Mount], at base: (Int) -> Int64) {
        places = Dictionary(
            mounts.enumerated().map { index, mount in
                let start = base(index)
                return (mount.path, { _ in start })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Mounts by path.
    init(places: [String: Place]) { self.places = places }

    /// The position where an answer's video begins; nil for an answer of another mount.
    func base(of answer: ServedAnswer) -> Int64? {
        answer.mountPath.flatMap { places[$0] }.map { $0(answer.ordinal) }
    }
}

extension Mount {
    /// The requests that asked for bytes of the video, in order, in the model's terms.
    ///
    /// - Parameter base: where the video begins in the space of several.
    func servedRequests(at base: Int64 = 0) -> [ServedRequest] {
        ledger.compactMap { entry in
            entry.requested.map {
                ServedRequest(
                    requested: $0.lowerBound + base..<$0.upperBound + base,
                    servedBytes: Int64(entry.servedBytes))
            }
        }
    }
}
