internal import Fixture
package import RigLab
package import RigModel
internal import RigVerdict

extension RunSettings {
    package var sparesWorkers: Bool { trigger == .time && pinned?.text == PinnedMoment.never }

    func checkGates() throws {
        // The number of iterations of an exhaustive run is known only after calls were counted.
        let most = isExhaustive ? KillPlan.mostIterations : iterations
        try checkGates(
            RunSize(
                policies: policies.map(\.name), iterations: most, killsPerIteration: kills,
                sparesWorkers: sparesWorkers))
    }

    func checkGates(_ size: RunSize) throws {
        var size = size
        size.baseline = reference
        try Gate.check(gates, size: size)
    }

    func checkedPlan(video: ReferenceVideo) throws -> KillPlan {
        let plan = try plan(video: video)
        try checkGates(RunSize(plan, phases: reach(of: plan)))
        return plan
    }

    package func reach(of plan: KillPlan) -> [Phase] { spec.reach(of: plan, by: profile) }

    package func plan(video: ReferenceVideo) throws -> KillPlan {
        let videoLength = spec.workload.length(videoLength: video.bytes.length, policies: policies)
        let pinned = try trigger(in: videoLength)
        return KillPlan(
            seed: seed, iterations: iterations, policies: policies,
            trigger: trigger, pinned: pinned, videoLength: videoLength,
            refinement: try refinement(pinned: pinned, videoLength: videoLength))
    }

    private func trigger(in videoLength: Int64) throws(RigError) -> Trigger? {
        guard let pinned, window(in: videoLength) == nil else { return nil }
        guard !pinned.isEnd(of: trigger) else {
            try RigError.require(
                spec.workload == .download && kills == 1,
                "--at \(Trigger.end) is about one kill of a program that downloads a video and ends; "
                    + "leave out --kills and --workload, or --at")
            return nil
        }
        guard let moment = pinned.trigger(of: trigger, videoLength: videoLength) else {
            throw RigError.usage(
                "--at \(pinned.text) does not fit --trigger \(trigger.rawValue); "
                    + pinned.advice(for: trigger, videoLength: videoLength))
        }
        return moment
    }

    /// The bytes over which kills are drawn; nil when they are pinned, or drawn over the whole work.
    private func window(in videoLength: Int64) -> ByteWindow? {
        pinned?.window(of: trigger, videoLength: videoLength)
    }

    private func refinement(
        pinned: Trigger?, videoLength: Int64
    ) throws(RigError) -> KillPlan.Refinement {
        var refinement = KillPlan.Refinement()
        let workload = spec.workload
        refinement.kills = kills
        refinement.isExhaustive = isExhaustive
        if !workload.hasBytes {
            refinement.lacksBytes = true
            if profile.check?.said == ProgramCheck.nothing { refinement.lines = [:] }
        } else if [.random, .bytes].contains(trigger), videoLength >= KillPlan.leastLengthInFlow {
            refinement.hasKillsInFlow = true
        }
        // Only such a worker ends by itself. What the reference downloader has received it has saved
        // then, and kills in its phases show the rest; a disk that is full then is seldom in the way.
        if [.random, .time].contains(trigger), workload == .download, kills == 1, pinned == nil {
            let isSpared = profile.isDocumented || !spec.fault.hasMoment
            refinement.killsPerEnding =
                self.pinned?.isEnd(of: trigger) == true
                ? 1 : isSpared ? nil : KillPlan.killsPerEnding
        }
        if trigger == .syscall { refinement.isStratified = isStratified }
        if spec.fault == .callError { refinement.hasOneSide = true }
        if let window = window(in: videoLength) {
            refinement.window = window
            refinement.hasKillsInFlow = true
        }
        // Affects only the draws for later kills.
        if kills > 1, !profile.writesWitness { refinement.lacksPhases = true }
        if kills > 1 {
            refinement.hasRoomInChains = true
            // What a worker fetches from elsewhere the origin cannot hold back.
            refinement.aimsAtRecoveries =
                workload.hasBytes && profile.source == nil || profile.writesWitness ? true : nil
        }
        guard trigger == .phase else { return refinement }
        let reach = PhaseReach(
            workload: workload, policies: policies, videoLength: videoLength,
            capacity: spec.capacity?.bytes)
        if case .phase(let phase) = pinned, let objection = reach.objection(to: phase) {
            throw RigError(.usage, "--at \(phase.rawValue) cannot be killed in: \(objection)")
        }
        refinement.phases = reach.phases
        refinement.isStratified = isStratified
        return refinement
    }
}

/// A pinned moment: a size for `bytes`, a fraction for `time`, a phase, a call or lines said.
package struct PinnedMoment: Sendable, Hashable {
    package static let never = Trigger.never.planned

    package let text: String

    package init(_ text: String) { self.text = text }

    /// The bytes over which kills are drawn; nil when the text names no such window in a video.
    func window(of kind: TriggerKind, videoLength: Int64) -> ByteWindow? {
        guard kind == .bytes, let window = ByteWindow(text),
            window.fits(videoLength: videoLength)
        else { return nil }
        return window
    }

    /// True for kills all over the end of the work.
    func isEnd(of kind: TriggerKind) -> Bool { kind == .time && text == Trigger.end }

    func trigger(of kind: TriggerKind, videoLength: Int64) -> Trigger? {
        switch kind {
        case .bytes:
            let isFlowing = text.hasSuffix(Trigger.flowingSuffix)
            let count = isFlowing ? text.dropLast(Trigger.flowingSuffix.count) : text[...]
            guard let size = ByteSize(String(count)), (1..<videoLength).contains(size.bytes) else {
                return nil
            }
            return isFlowing ? .flowing(size.bytes) : .bytes(size.bytes)
        case .time:
            if text == Self.never { return .never }
            let isOfEnd = text.hasPrefix(Trigger.endingPrefix)
            let words = isOfEnd ? text.dropFirst(Trigger.endingPrefix.count) : text[...]
            let isPercent = words.hasSuffix("%")
            guard let number = Double(isPercent ? words.dropLast() : words) else { return nil }
            let fraction = isPercent ? number / 100 : number
            guard fraction > 0, fraction < 1 else { return nil }
            return isOfEnd ? .ending(fraction) : .time(fraction)
        case .phase: return Phase(rawValue: text).map { .phase($0) }
        case .syscall: return CallMoment(text).map { .syscall($0) }
        case .said: return Int(text).flatMap { $0 > 0 ? .said($0) : nil }
        case .random: return nil
        }
    }

    private var phases: [String] { Phase.allCases.map(\.rawValue) }

    func advice(for kind: TriggerKind, videoLength: Int64) -> String {
        let otherwise = "give \(expected(by: kind, videoLength: videoLength))"
        return kind == .phase ? text.advice(among: phases, otherwise: otherwise) : otherwise
    }

    func expected(by kind: TriggerKind, videoLength: Int64) -> String {
        switch kind {
        case .bytes:
            "a size from 1 to \(videoLength - 1) bytes, with \(Trigger.flowingSuffix) behind it for a"
                + " kill that nothing waits for, or two sizes with .. between them, over which kills"
                + " are spread"
        case .time, .random:
            "a fraction between 0 and 1, with \(Trigger.endingPrefix) before it for one of the time"
                + " between the last byte and the worker's end, \(Trigger.end) for kills all over"
                + " that time, or never"
        case .phase: "one of \(phases.joined(separator: ", "))"
        case .syscall:
            "the ordinal of a call, such as 137, or 137:after, or with its name rename:2:after"
        case .said: "how many lines the program has said, from 1"
        }
    }
}
