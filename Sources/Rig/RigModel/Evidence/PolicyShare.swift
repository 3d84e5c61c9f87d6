/// A video, and the policy by which it is saved (S5).
package struct PolicyShare: Sendable, Hashable {
    package let policy: Policy
    /// The video's positions; nil for all, where one policy holds.
    package let positions: Range<Int64>?

    package func part(of all: ByteRanges) -> ByteRanges {
        positions.map { all.intersection(ByteRanges([$0])) } ?? all
    }

    package func contains(_ position: Int64) -> Bool { positions?.contains(position) ?? true }

    /// The reading of the video's answers; nil if unknown.
    package func part(of sockets: SocketReading?) -> SocketReading? {
        guard positions != nil else { return sockets }
        return sockets?.answers.map { answers in
            SocketReading(answers: answers.filter { contains($0.taken.lowerBound) })
        }
    }
}

extension IterationEvidence {
    /// What is judged by a policy of its own: each player's video, of equal length, or everything.
    package var shares: [PolicyShare] {
        let policies = contract.isByThreshold ? plan.policy.each : [plan.policy]
        guard policies.count > 1 else { return [PolicyShare(policy: plan.policy, positions: nil)] }
        let length = videoLength / Int64(policies.count)
        return policies.enumerated().map { index, policy in
            PolicyShare(
                policy: policy, positions: Int64(index) * length..<Int64(index + 1) * length)
        }
    }
}
