/// The plan of a run: a pure function of seed and settings.
///
/// An iteration's kills depend only on the seed and its number, so that every policy meets the same
/// kills and a slice of a plan equals that slice of the whole; calls also on how many a policy
/// makes.
package struct KillPlan: Sendable, Hashable, Codable {
    package let seed: UInt64
    package private(set) var iterations: Int
    package let policies: [Policy]
    package let trigger: TriggerKind
    /// The pinned moment (`--at`) of each iteration's first kill; nil when moments are drawn.
    package let pinned: Trigger?
    package let videoLength: Int64
    /// Settings of a plan that is more than one drawn kill per iteration; nil for that default.
    package private(set) var refinement: Refinement?

    /// Settings that few plans have; nil where it is as in most.
    package struct Refinement: Sendable, Hashable, Codable {
        /// Kills in a row per iteration (`--kills`).
        package var kills = 1
        /// The phases from which kills by phase are drawn, in the order of a worker's entries.
        package var phases: [Phase]?
        /// True when every phase, or every kind of call, gets as many kills (`--stratify`).
        package var isStratified = false
        /// The number of calls of an uninterrupted run, by policy name.
        package var points: [String: Int]?
        /// The same by policy name and the name of the call, where kinds of calls are stratified.
        package var pointsByName: [String: [String: Int]]?
        /// True when every call gets a kill before it and one after it (`--exhaustive`).
        package var isExhaustive = false
        /// True where calls fail, which has no side: every call gets one iteration.
        package var hasOneSide: Bool?
        /// True for workers that report no phases, so that no kill of a chain can wait for one.
        package var lacksPhases: Bool?
        /// True when half of the first kills by bytes land while bytes flow, not held back.
        package var hasKillsInFlow: Bool?
        /// True when a chain's first kill leaves something to recover, and work for the later ones.
        package var hasRoomInChains: Bool?
        /// True when a third of a chain's later kills come at a share of the recovery's time.
        package var aimsAtRecoveries: Bool?
        /// Of so many kills, one comes after the last byte: 1 for all (`--at end`), nil for none.
        package var killsPerEnding: Int?
        /// The bytes over which first kills are drawn (`--at 9.5MB..10MB`); nil for the whole work.
        package var window: ByteWindow?
        /// True for a workload without bytes: random kills come by the clock and by lines it says.
        package var lacksBytes: Bool?
        /// The lines that an uninterrupted run says, by policy name; nil where they are not counted.
        package var lines: [String: Int]?

        package init() {}
    }

    /// Creates a plan for a video of at least 3 bytes.
    package init(
        seed: UInt64, iterations: Int, policies: [Policy], trigger: TriggerKind,
        pinned: Trigger? = nil, videoLength: Int64, refinement: Refinement = Refinement()
    ) {
        precondition(videoLength >= 3, "a kill must fit strictly inside the video")
        (self.seed, self.iterations, self.policies) = (seed, iterations, policies)
        (self.trigger, self.pinned, self.videoLength) = (trigger, pinned, videoLength)
        self.refinement = refinement == Refinement() ? nil : refinement
    }

    /// The largest number of iterations in a plan: more than any run can carry out.
    package static let mostIterations = 10_000_000
    package static let mostKills = 1_000

    package var kills: Int { refinement?.kills ?? 1 }

    /// What `--at` says of the first kills; nil when they are drawn over the whole work.
    package var at: String? {
        pinned?.planned ?? refinement?.window?.text
            ?? (refinement?.killsPerEnding == 1 ? Trigger.end : nil)
    }

    /// True when no worker is killed (`--at never`): every worker must do its work unharmed.
    package var sparesWorkers: Bool { pinned == .never }
    package var phases: [Phase] { refinement?.phases ?? Phase.allCases }

    /// False for a stored plan that no run can have produced.
    package var isPossible: Bool {
        (1...Self.mostIterations).contains(iterations) && !policies.isEmpty && videoLength >= 3
            && (1...Self.mostKills).contains(kills) && !phases.isEmpty
            && refinement?.killsPerEnding ?? 1 > 0
            && refinement?.window?.fits(videoLength: videoLength) ?? true
            && (trigger != .syscall || pinned != nil
                || policies.allSatisfy { (refinement?.points?[$0.name] ?? 0) > 0 })
            && (trigger != .said || pinned != nil || policies.allSatisfy { lines(of: $0) > 0 })
    }

    /// The planned fractions of an uninterrupted run's time, and of the bytes while they flow.
    ///
    /// Well below 1, since a run faster than the measured one would end before its kill.
    package static let timeFractions: ClosedRange<Double> = 0.01...0.85

    /// Of so many drawn kills, one comes between the last byte and the end of the worker.
    package static let killsPerEnding = 20

    /// The first kill of a chain, as a fraction of the work: earlier, nothing may have been saved
    /// yet; later, the following lives may end before their kills.
    static let chainBeginnings: ClosedRange<Double> = 0.3...0.6
    /// The fraction of the work that all later kills of a chain may use together.
    private static let shareOfFollowers = 0.4

    /// The shortest video for which kills land while bytes flow: a shorter one has then arrived.
    package static let leastLengthInFlow: Int64 = 8 << 20

    /// The longest wait between the planned moment and the kill (spec 2, `bytes`).
    package static let longestDelaySeconds = 0.005

    /// The longest wait between the start of a recovery and a kill in it (B6).
    package static let longestRecoverySeconds = 0.1

    /// Every iteration, policies in turn, so that a change of the machine affects all equally.
    package var schedule: [PlannedIteration] {
        (1...max(1, iterations)).prefix(iterations).flatMap { index in
            policies.map { self.iteration(index, policy: $0) }
        }
    }

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

    /// Whether a kill by bytes lands while they flow: half do, by a bit of the draw of the wait.
    private func isInFlow(_ draw: Draw) -> Bool {
        refinement?.hasKillsInFlow == true && Int(draw.wait * 4096) % 2 == 1
    }

    /// The fraction of the work done at a kill for which nothing is held back.
    private func share(of draw: Draw) -> Double {
        let shares = hasRoomInChain ? Self.chainBeginnings : Self.timeFractions
        return shares.lowerBound + draw.position * (shares.upperBound - shares.lowerBound)
    }

    /// The same for a kill at which the worker is held, which may land anywhere in the work.
    private func heldShare(of draw: Draw) -> Double {
        hasRoomInChain ? share(of: draw) : draw.position
    }

    private var hasRoomInChain: Bool { kills > 1 && refinement?.hasRoomInChains == true }

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
            // Most phases take a millisecond or two, and the worker is held at their end: the cube
            // favours short waits. Recovery takes as long as opening its files.
            PlannedKill(
                kill: kill, trigger: moment, position: position,
                delaySeconds: draw.wait * draw.wait * draw.wait
                    * (kill == 1 ? Self.longestDelaySeconds : Self.longestRecoverySeconds))
        case .flowing, .time, .ending, .recovery, .syscall, .said, .never:
            PlannedKill(kill: kill, trigger: moment, delaySeconds: 0)
        }
    }

    private func moment(index: Int, policy: Policy, _ draw: Draw) -> Trigger {
        switch trigger {
        case .random where refinement?.lacksBytes == true:
            index.isMultiple(of: 2) || lines(of: policy) == 0
                ? time(index: index, draw) : .said(line(policy, draw))
        case .random: index.isMultiple(of: 2) ? time(index: index, draw) : bytes(draw)
        case .bytes: bytes(draw)
        case .time: time(index: index, draw)
        case .phase: .phase(phase(index: index, draw))
        case .syscall: .syscall(call(index: index, policy: policy, draw))
        case .said: .said(line(policy, draw))
        }
    }

    private func bytes(_ draw: Draw) -> Trigger {
        if let count = refinement?.window?.moment(at: draw.position) {
            return isInFlow(draw) ? .flowing(count) : .bytes(count)
        }
        if isInFlow(draw) {
            return .flowing(min(1 + Int64(share(of: draw) * Double(videoLength)), videoLength - 1))
        }
        // Strictly inside the work: at least one byte received, at least one still missing.
        let share = heldShare(of: draw)
        let count = 1 + Int64(share * Double(videoLength - 1))
        return .bytes(min(count, videoLength - 1))
    }

    private func time(index: Int, _ draw: Draw) -> Trigger {
        guard let round = refinement?.killsPerEnding else { return .time(share(of: draw)) }
        // Half a round late, so that a run of ten has one as well.
        return index % round == round / 2 ? .ending(draw.position) : .time(share(of: draw))
    }

    private func phase(index: Int, _ draw: Draw) -> Phase {
        let phases = phases
        guard refinement?.isStratified != true else { return phases[(index - 1) % phases.count] }
        return phases[min(Int(draw.position * Double(phases.count)), phases.count - 1)]
    }

    private func call(index: Int, policy: Policy, _ draw: Draw) -> CallMoment {
        let hasOneSide = refinement?.hasOneSide == true
        guard refinement?.isExhaustive != true else {
            if hasOneSide { return CallMoment(ordinal: index, edge: .before) }
            return CallMoment(
                ordinal: (index + 1) / 2, edge: index.isMultiple(of: 2) ? .after : .before)
        }
        var points = max(1, refinement?.points?[policy.name] ?? 1)
        var name: String?
        if let kinds = refinement?.pointsByName?[policy.name], !kinds.isEmpty {
            let kind = kinds.sorted { $0.key < $1.key }[(index - 1) % kinds.count]
            (name, points) = (kind.key, max(1, kind.value))
        }
        let share = heldShare(of: draw)
        return CallMoment(
            ordinal: 1 + min(Int(share * Double(points)), points - 1),
            edge: hasOneSide || draw.choice < 0.5 ? .before : .after, name: name)
    }

    private func lines(of policy: Policy) -> Int { refinement?.lines?[policy.name] ?? 0 }

    private func line(_ policy: Policy, _ draw: Draw) -> Int {
        let lines = max(1, lines(of: policy))
        return 1 + min(Int(heldShare(of: draw) * Double(lines)), lines - 1)
    }

    /// Kills during recovery or shortly after it, where a chain continues (B6, T4).
    private func follower(_ policy: Policy, _ draw: Draw) -> Trigger {
        var soon: Int64 = 2 * (policy.threshold?.bytes ?? 512 << 10)
        var span = 0.19
        if hasRoomInChain {
            let share = Self.shareOfFollowers / Double(kills - 1)
            soon = min(soon, max(3, Int64(share * Double(videoLength))))
            span = min(span, share)
        }
        if refinement?.lacksBytes == true { return .time(0.01 + draw.position * span) }
        let aims = refinement?.aimsAtRecoveries == true
        let hasPhases = aims || refinement?.lacksPhases != true
        switch draw.choice {
        case ..<(1.0 / 3) where aims: return .recovery(draw.position)
        case ..<(1.0 / 3) where hasPhases: return .phase(.recovering)
        case ..<(hasPhases ? 2.0 / 3 : 1.0 / 2):
            let count = 1 + Int64(draw.position * Double(min(soon, videoLength - 1) - 1))
            return .bytes(count)
        default: return .time(0.01 + draw.position * span)
        }
    }

    /// The same plan with the calls of an uninterrupted run, by policy and name; an exhaustive plan
    /// has two iterations per call, before and after it, or one where calls fail.
    package func counting(_ calls: [String: [String: Int]]) -> KillPlan {
        let points = calls.mapValues { $0.values.reduce(0, +) }
        var counted = refined { refinement in
            refinement.points = points
            if refinement.isStratified { refinement.pointsByName = calls }
        }
        if refinement?.isExhaustive == true {
            counted.iterations =
                (refinement?.hasOneSide == true ? 1 : 2) * (points.values.max() ?? 0)
        }
        return counted
    }

    package func counting(lines: [String: Int]) -> KillPlan { refined { $0.lines = lines } }

    private func refined(_ change: (inout Refinement) -> Void) -> KillPlan {
        var refined = self
        var refinement = refinement ?? Refinement()
        change(&refinement)
        refined.refinement = refinement
        return refined
    }

    /// True when the kill moments of this plan are known only after lines have been counted.
    package var needsLines: Bool {
        refinement?.lacksBytes == true && refinement?.lines == nil && pinned == nil
            && [.said, .random].contains(trigger)
    }

    package var needsCalls: Bool { trigger == .syscall && pinned == nil }

    /// False while system calls or lines must still be counted to know the kill moments.
    package var hasKnownMoments: Bool { (!needsCalls || refinement?.points != nil) && !needsLines }

    /// False while system calls must still be counted to know the number of kills.
    package var hasKnownSize: Bool { hasKnownMoments || refinement?.isExhaustive != true }

    /// A plan that repeats an iteration of this plan, with its moment pinned.
    ///
    /// By the new seed the first iteration has the seed of the planned one, and so all else that
    /// was drawn, but for the entry of a pinned phase.
    package func repeating(_ planned: PlannedIteration) -> KillPlan {
        var refinement = Refinement()
        refinement.kills = planned.kills.count
        refinement.lacksPhases = self.refinement?.lacksPhases
        refinement.hasKillsInFlow = self.refinement?.hasKillsInFlow
        refinement.hasRoomInChains = self.refinement?.hasRoomInChains
        refinement.aimsAtRecoveries = self.refinement?.aimsAtRecoveries
        refinement.lacksBytes = self.refinement?.lacksBytes
        return KillPlan(
            seed: seed ^ Self.spread(planned.iteration) ^ Self.spread(1), iterations: 1,
            policies: [planned.policy], trigger: planned.first.trigger.kind,
            pinned: planned.first.trigger, videoLength: videoLength, refinement: refinement)
    }

    /// The part of a seed that differs between iterations.
    static func spread(_ index: Int) -> UInt64 { UInt64(index) &* 0xD1B5_4A32_D192_ED03 }
}
