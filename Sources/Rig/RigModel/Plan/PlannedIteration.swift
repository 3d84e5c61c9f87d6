package struct PlannedKill: Sendable, Hashable, Codable {
    /// The kill's number within the iteration, from 1.
    package let kill: Int
    package let trigger: Trigger
    /// Selects among the moments that fit, as a fraction: for a phase, the entry of the kill.
    package let position: Double
    /// Seconds from the planned moment to the kill, so that kills land all over a commit or phase.
    package let delaySeconds: Double

    package init(kill: Int, trigger: Trigger, position: Double = 0, delaySeconds: Double) {
        (self.kill, self.trigger, self.position) = (kill, trigger, position)
        self.delaySeconds = delaySeconds
    }

    /// True when the moment depends on how long the work takes without a kill.
    package var isTimed: Bool { trigger.kind == .time && trigger != .never }

    /// The share of the worker's end at which it is killed; nil for another moment.
    package var endingShare: Double? { if case .ending(let share) = trigger { share } else { nil } }

    /// The bytes of a video after which the origin holds back the rest; nil when nothing is held
    /// back; before a kill at the end the last byte is held, so that the moment is known exactly.
    package func heldBytes(of length: Int64) -> Int64? {
        endingShare == nil ? trigger.heldBytes : length - 1
    }

    /// The share of its recovery at which a relaunched worker is killed; nil for another moment.
    package var recoveryShare: Double? {
        if case .recovery(let share) = trigger { share } else { nil }
    }
}

package struct PlannedIteration: Sendable, Hashable, Codable {
    package let iteration: Int
    package let policy: Policy
    /// The consecutive kills, at least one; after the last the worker may finish (B6).
    package let kills: [PlannedKill]
    /// The seed of everything drawn in this iteration.
    package let seed: UInt64

    package init(iteration: Int, policy: Policy, kills: [PlannedKill], seed: UInt64) {
        precondition(!kills.isEmpty, "an iteration has at least one kill")
        (self.iteration, self.policy, self.kills, self.seed) = (iteration, policy, kills, seed)
    }

    package init(
        iteration: Int, policy: Policy, trigger: Trigger, delaySeconds: Double, seed: UInt64
    ) {
        self.init(
            iteration: iteration, policy: policy,
            kills: [PlannedKill(kill: 1, trigger: trigger, delaySeconds: delaySeconds)], seed: seed)
    }

    package var first: PlannedKill { kills[0] }
}
