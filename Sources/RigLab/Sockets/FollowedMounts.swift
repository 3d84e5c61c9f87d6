internal import FixtureOrigin

/// The mounts of the origin whose bytes count, and where each lies in the space of the evidence.
struct FollowedMounts: Sendable {
    /// Where the answer to a request of a mount begins: given the request's number, from 1.
    typealias Place = @Sendable (_ ordinal: Int) -> Int64

    private let places: [String: Place]

    /// Mounts that lie each at a place of its own.
    ///
    /// - Parameters:
    ///   - mounts: of the same origin.
    ///   - base: where each begins, by its index.
    init(_ mounts: [Mount], at base: (Int) -> Int64) {
        places = Dictionary(
            mounts.enumerated().map { index, mount in
                let start = base(index)
                return (mount.path, { _ in start })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Mounts by their paths.
    init(places: [String: Place]) { self.places = places }

    /// Where an answer's video begins; nil for an answer of another mount.
    func base(of answer: ServedAnswer) -> Int64? {
        answer.mountPath.flatMap { places[$0] }.map { $0(answer.ordinal) }
    }
}
