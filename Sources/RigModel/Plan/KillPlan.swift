/// What is going to happen in one iteration of one policy.
package struct PlannedIteration: Sendable, Hashable, Codable {
    /// Counted from 1.
    package let iteration: Int
    /// The policy under test.
    package let policy: Policy
    /// The moment of the kill.
    package let trigger: Trigger
    /// The wait between the planned byte and the kill, in seconds; 0 without a planned byte.
    ///
    /// It lets kills also land in the commit which that byte set off.
    package let delaySeconds: Double
    /// The seed that everything in this iteration follows from.
    package let seed: UInt64

    /// A planned iteration.
    package init(
        iteration: Int, policy: Policy, trigger: Trigger, delaySeconds: Double, seed: UInt64
    ) {
        self.iteration = iteration
        self.policy = policy
        self.trigger = trigger
        self.delaySeconds = delaySeconds
        self.seed = seed
    }
}

/// The plan of a run: a pure function of seed and settings.
///
/// The kill of iteration i depends on the seed and on i only, so that every policy meets the same
/// kills (paired comparison) and that a part of a plan equals that part of the whole.
package struct KillPlan: Sendable, Hashable, Codable {
    /// The seed of the run.
    package let seed: UInt64
    /// Iterations per policy.
    package let iterations: Int
    /// The policies, in the order asked for.
    package let policies: [Policy]
    /// How moments are drawn.
    package let trigger: TriggerKind
    /// A pinned moment (`--at`), instead of a drawn one.
    package let pinned: Trigger?
    /// Length of the video in bytes.
    package let videoLength: Int64

    /// A plan over a video of at least 3 bytes.
    package init(
        seed: UInt64, iterations: Int, policies: [Policy], trigger: TriggerKind,
        pinned: Trigger? = nil, videoLength: Int64
    ) {
        precondition(videoLength >= 3, "a kill must fit strictly inside the video")
        self.seed = seed
        self.iterations = iterations
        self.policies = policies
        self.trigger = trigger
        self.pinned = pinned
        self.videoLength = videoLength
    }

    /// The most iterations of a plan: more than any run can carry out.
    package static let mostIterations = 10_000_000

    /// False for a stored plan that no run can have had.
    package var isPossible: Bool {
        (1...Self.mostIterations).contains(iterations) && !policies.isEmpty && videoLength >= 3
    }

    /// The planned fractions of an uninterrupted run lie in this interval.
    ///
    /// It stops short of 1, because a run that happens to be faster than the measured one would
    /// otherwise end before its kill: such a row proves nothing.
    package static let timeFractions: ClosedRange<Double> = 0.01...0.85

    /// The longest wait between the planned byte and the kill (spec 2, `bytes`).
    package static let longestDelaySeconds = 0.005

    /// Every iteration in the order it is run: policies interleaved, so that a machine that gets
    /// slower or faster during the run treats all policies alike.
    package var schedule: [PlannedIteration] {
        (1...max(1, iterations)).prefix(iterations).flatMap { index in
            policies.map { self.iteration(index, policy: $0) }
        }
    }

    /// The plan of iteration `index`, counted from 1.
    package func iteration(_ index: Int, policy: Policy) -> PlannedIteration {
        var source = SplitMix64(seed: seed ^ Self.spread(index))
        let iterationSeed = source.next()
        var random = SplitMix64(seed: iterationSeed)
        let position = random.unit()
        let wait = random.unit()
        let moment = pinned ?? draw(index: index, position: position)
        var delay = 0.0
        if case .bytes = moment {
            delay = wait * Self.longestDelaySeconds
        }
        return PlannedIteration(
            iteration: index, policy: policy, trigger: moment, delaySeconds: delay,
            seed: iterationSeed)
    }

    private func draw(index: Int, position: Double) -> Trigger {
        let byBytes = trigger == .bytes || (trigger == .random && !index.isMultiple(of: 2))
        guard byBytes else {
            let span = Self.timeFractions.upperBound - Self.timeFractions.lowerBound
            return .time(Self.timeFractions.lowerBound + position * span)
        }
        // Strictly inside the work: at least one byte received, at least one still missing.
        let count = 1 + Int64(position * Double(videoLength - 1))
        return .bytes(min(count, videoLength - 1))
    }
}
