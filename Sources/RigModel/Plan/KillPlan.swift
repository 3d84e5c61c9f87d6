/// The plan of a run: a pure function of seed and settings.
///
/// The kills of iteration i depend on the seed and on i only, so that every policy meets the same
/// kills (paired comparison) and that a part of a plan equals that part of the whole. Where calls
/// are counted they also depend on how many there are under the policy.
package struct KillPlan: Sendable, Hashable, Codable {
    /// The seed of the run.
    package let seed: UInt64
    /// Iterations per policy.
    package let iterations: Int
    /// The policies, in the order asked for.
    package let policies: [Policy]
    /// How moments are drawn.
    package let trigger: TriggerKind
    /// A pinned moment (`--at`) of each iteration's first kill, instead of a drawn one.
    package let pinned: Trigger?
    /// Length of the video in bytes.
    package let videoLength: Int64
    /// Where it differs from one kill per iteration, drawn.
    package let refinement: Refinement?

    /// What few plans have.
    package struct Refinement: Sendable, Hashable, Codable {
        /// Kills in a row per iteration (`--kills`).
        package var kills = 1
        /// The phases that the kills by phase are drawn from, in the order of a life.
        package var phases: [Phase]?
        /// True when every phase gets as many kills as any other (`--stratify`).
        package var isStratified = false
        /// How many calls an uninterrupted run makes, by the policy's name.
        package var points: [String: Int]?
        /// True when every call is killed at, before and after it (`--exhaustive`).
        package var isExhaustive = false
        /// True for workers that show no phases, so that no kill of a chain can wait for one; nil,
        /// as in plans that are older, for those that do.
        package var lacksPhases: Bool?
        /// True where half of the first kills by bytes land while bytes flow; nil, as in plans that
        /// are older, where the origin holds back what lies beyond every planned byte.
        package var hasKillsInFlow: Bool?
        /// True where the first kill of a chain leaves something to recover, and work for the kills
        /// after it; nil, as in plans that are older, where it is that of a run without chains.
        package var hasRoomInChains: Bool?

        /// A plan like any other.
        package init() {}
    }

    /// A plan over a video of at least 3 bytes.
    package init(
        seed: UInt64, iterations: Int, policies: [Policy], trigger: TriggerKind,
        pinned: Trigger? = nil, videoLength: Int64, refinement: Refinement = Refinement()
    ) {
        precondition(videoLength >= 3, "a kill must fit strictly inside the video")
        self.seed = seed
        self.iterations = iterations
        self.policies = policies
        self.trigger = trigger
        self.pinned = pinned
        self.videoLength = videoLength
        self.refinement = refinement == Refinement() ? nil : refinement
    }

    /// The most iterations of a plan: more than any run can carry out.
    package static let mostIterations = 10_000_000
    /// The most kills of an iteration.
    package static let mostKills = 1_000

    /// Kills in a row per iteration.
    package var kills: Int { refinement?.kills ?? 1 }

    /// True when nobody is killed (`--at never`): every worker has to do its work unharmed.
    package var sparesWorkers: Bool { pinned == .never }

    /// The phases that the kills by phase are drawn from.
    package var phases: [Phase] { refinement?.phases ?? Phase.allCases }

    /// False for a stored plan that no run can have had.
    package var isPossible: Bool {
        (1...Self.mostIterations).contains(iterations) && !policies.isEmpty && videoLength >= 3
            && (1...Self.mostKills).contains(kills) && !phases.isEmpty
            && (trigger != .syscall || pinned != nil
                || policies.allSatisfy { (refinement?.points?[$0.name] ?? 0) > 0 })
    }

    /// The planned fractions of an uninterrupted run, and of the bytes for a kill that lands while
    /// they flow, lie in this interval.
    ///
    /// It stops short of 1, because a run that happens to be faster than the measured one would
    /// otherwise end before its kill: such a row proves nothing.
    package static let timeFractions: ClosedRange<Double> = 0.01...0.85

    /// Where the first kill of a chain lies in the work.
    ///
    /// Before, nothing may have been kept, so that a kill in the recovery from it has nothing to
    /// damage; behind, the lives after it may be over before their kills.
    static let chainBeginnings: ClosedRange<Double> = 0.3...0.6
    /// How much of the work the kills of a chain after the first may take up together.
    private static let shareOfFollowers = 0.4

    /// The shortest video of which kills land while bytes flow: one that is shorter has come as a
    /// whole before a kill can arrive.
    package static let leastLengthInFlow: Int64 = 8 << 20

    /// The longest wait between the planned moment and the kill (spec 2, `bytes`).
    package static let longestDelaySeconds = 0.005

    /// The longest wait between the beginning of a recovery and a kill in it (B6).
    package static let longestRecoverySeconds = 0.1

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
        let draw = Draw(position: random.unit(), wait: random.unit(), choice: random.unit())
        let moment = pinned ?? moment(index: index, policy: policy, draw)
        let first = planned(1, moment, draw, position: pinned == nil ? draw.choice : draw.position)
        let more = (1..<max(1, kills)).map { number in
            let draw = Draw(position: random.unit(), wait: random.unit(), choice: random.unit())
            return planned(number + 1, follower(policy, draw), draw, position: draw.position)
        }
        return PlannedIteration(
            iteration: index, policy: policy, kills: [first] + more, seed: iterationSeed)
    }

    /// Whether a kill by bytes is one that lands while they flow.
    ///
    /// Half of them are, by a bit of the draw that decides how long the others wait.
    private func isInFlow(_ draw: Draw) -> Bool {
        refinement?.hasKillsInFlow == true && Int(draw.wait * 4096) % 2 == 1
    }

    /// The share of the work that is done when a kill lands which nothing waits for.
    private func share(of draw: Draw) -> Double {
        let shares = hasRoomInChain ? Self.chainBeginnings : Self.timeFractions
        return shares.lowerBound + draw.position * (shares.upperBound - shares.lowerBound)
    }

    /// The same for a kill that is waited for, which may come anywhere in the work.
    private func heldShare(of draw: Draw) -> Double {
        hasRoomInChain ? share(of: draw) : draw.position
    }

    /// True where the kills of an iteration share its work.
    private var hasRoomInChain: Bool { kills > 1 && refinement?.hasRoomInChains == true }

    /// Random numbers from 0 to 1, as many as any kill needs.
    private struct Draw {
        let position: Double
        let wait: Double
        let choice: Double
    }

    private func planned(
        _ kill: Int, _ moment: Trigger, _ draw: Draw, position: Double
    ) -> PlannedKill {
        switch moment {
        case .bytes:
            PlannedKill(
                kill: kill, trigger: moment, delaySeconds: draw.wait * Self.longestDelaySeconds)
        case .phase:
            // Most phases take less than a millisecond or two, and their worker waits at the end:
            // more of the waits are short, so that kills land all over a phase. A recovery of what
            // a kill left takes as long as opening its files does.
            PlannedKill(
                kill: kill, trigger: moment, position: position,
                delaySeconds: draw.wait * draw.wait * draw.wait
                    * (kill == 1 ? Self.longestDelaySeconds : Self.longestRecoverySeconds))
        case .flowing, .time, .syscall, .never:
            PlannedKill(kill: kill, trigger: moment, delaySeconds: 0)
        }
    }

    /// The first kill of an iteration.
    private func moment(index: Int, policy: Policy, _ draw: Draw) -> Trigger {
        switch trigger {
        case .random: index.isMultiple(of: 2) ? time(draw) : bytes(draw)
        case .bytes: bytes(draw)
        case .time: time(draw)
        case .phase: .phase(phase(index: index, draw))
        case .syscall: .syscall(call(index: index, policy: policy, draw))
        }
    }

    private func bytes(_ draw: Draw) -> Trigger {
        if isInFlow(draw) {
            return .flowing(min(1 + Int64(share(of: draw) * Double(videoLength)), videoLength - 1))
        }
        // Strictly inside the work: at least one byte received, at least one still missing.
        let share = heldShare(of: draw)
        let count = 1 + Int64(share * Double(videoLength - 1))
        return .bytes(min(count, videoLength - 1))
    }

    private func time(_ draw: Draw) -> Trigger { .time(share(of: draw)) }

    private func phase(index: Int, _ draw: Draw) -> Phase {
        let phases = phases
        guard refinement?.isStratified != true else { return phases[(index - 1) % phases.count] }
        return phases[min(Int(draw.position * Double(phases.count)), phases.count - 1)]
    }

    private func call(index: Int, policy: Policy, _ draw: Draw) -> CallMoment {
        guard refinement?.isExhaustive != true else {
            return CallMoment(
                ordinal: (index + 1) / 2, edge: index.isMultiple(of: 2) ? .after : .before)
        }
        let points = max(1, refinement?.points?[policy.name] ?? 1)
        let share = heldShare(of: draw)
        return CallMoment(
            ordinal: 1 + min(Int(share * Double(points)), points - 1),
            edge: draw.choice < 0.5 ? .before : .after)
    }

    /// Kills in recovery or shortly after it, which is where a chain goes on (B6, T4).
    private func follower(_ policy: Policy, _ draw: Draw) -> Trigger {
        var soon: Int64 = 2 * (policy.threshold?.bytes ?? 512 << 10)
        var span = 0.19
        if hasRoomInChain {
            let share = Self.shareOfFollowers / Double(kills - 1)
            soon = min(soon, max(3, Int64(share * Double(videoLength))))
            span = min(span, share)
        }
        let hasPhases = refinement?.lacksPhases != true
        switch draw.choice {
        case ..<(1.0 / 3) where hasPhases: return .phase(.recovering)
        case ..<(hasPhases ? 2.0 / 3 : 1.0 / 2):
            let count = 1 + Int64(draw.position * Double(min(soon, videoLength - 1) - 1))
            return .bytes(count)
        default: return .time(0.01 + draw.position * span)
        }
    }
}
