package import RigModel

extension Measurements {
    /// What a kill may cost of one video.
    package struct Bound: Sendable, Hashable {
        package let share: PolicyShare
        package let bytes: Int64
    }

    /// True when no video has lost more than its own bound; nil when either is unknown.
    package var isWithinBounds: Bool? {
        guard let lost, !bounds.isEmpty else { return nil }
        return bounds.allSatisfy { $0.share.part(of: lost).count <= $0.bytes }
    }
}

extension IterationEvidence {
    /// Of each share, as the page reports, but at most what origin and kernel saw.
    func activeRequests(_ witness: WitnessReading?) -> [Int?] {
        shares.map { share in
            let seen = share.part(of: sockets)?.activeRequests
            let told = witness?.requests.count { $0.isActive && share.contains($0.start) }
            return told.map { min($0, seen ?? .max) } ?? seen
        }
    }

    /// The bound of each share, in order; empty when nothing is promised or it is unknown.
    func bounds(_ requests: [Int?]) -> [Measurements.Bound] {
        let bounds = zip(shares, requests).compactMap { share, requests in
            let sockets = share.part(of: self.sockets)
            return contract.bound?.bytes(
                policy: share.policy, fault: fault, activeRequests: requests,
                taken: capacity == nil ? sockets?.distinctTakenUnderWay : sockets?.takenUnderWay,
                bytesPerSecond: contract.bytesPerSecond, hasEnded: endedWhenAsked
            ).map { Measurements.Bound(share: share, bytes: $0) }
        }
        return bounds.count == shares.count ? bounds : []
    }
}
