internal import ArgumentParser
internal import RigModel

extension TriggerKind: ExpressibleByArgument {}

extension Fault: ExpressibleByArgument {}

/// When and how workers are killed.
struct KillOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "What decides the moment of a kill: random (bytes and time in turn), bytes, time, "
                + "phase, or syscall (at a call that changes or syncs files)."))
    var trigger: TriggerKind = .random

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Pin the trigger: a size for bytes, a fraction of an uninterrupted run (0.5, 50%) for "
                + "time, the name of a phase, the ordinal of a call (137, 137:after), or never, which "
                + "spares the worker.", valueName: "value"))
    var at: PinnedMoment?

    @Flag(
        name: .long,
        help: "With --trigger syscall: a kill before and after every call; --iterations has no say."
    )
    var exhaustive = false

    @Option(name: .long, help: ArgumentHelp("What happens at the kill.", valueName: "kind"))
    var fault: Fault = .sigkill

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Kills in a row per iteration, also while the worker recovers.", valueName: "n"))
    var kills = 1

    /// Refuses what contradicts itself, and what a workload cannot be killed by.
    func check(workload: Workload) throws {
        guard at == nil || trigger != .random else {
            throw ValidationError("--at needs a trigger: add --trigger bytes, time or phase.")
        }
        guard (1...KillPlan.mostKills).contains(kills) else {
            throw ValidationError("--kills must be from 1 to \(KillPlan.mostKills).")
        }
        try checkChain(workload: workload)
        try checkCalls(workload: workload)
        try checkFault(workload: workload)
    }

    /// Refuses what a plan of several policies cannot be.
    func check(policies: [Policy]) throws {
        guard !exhaustive || policies.count == 1 else {
            throw ValidationError(
                "--exhaustive goes through the calls of one policy; name one in --thresholds.")
        }
    }

    private func checkChain(workload: Workload) throws {
        guard kills == 1 else { throw ValidationError("--kills is not there; leave it out.") }
    }

    private func checkCalls(workload: Workload) throws {
        guard trigger == .syscall else {
            guard !exhaustive else {
                throw ValidationError(
                    "--exhaustive goes through system calls; add --trigger syscall.")
            }
            return
        }
        #if !os(Linux)
            throw ValidationError("--trigger syscall needs Linux; use bytes or time.")
        #endif
        guard !exhaustive || at == nil else {
            throw ValidationError("--exhaustive goes through every call; leave out --at.")
        }
        guard workload == .download else {
            throw ValidationError(
                "--trigger syscall goes with --workload download only: a player would take a kill "
                    + "that it is not told of for a fault of the worker's.")
        }
        guard fault.signal == 9 else {
            throw ValidationError(
                "--trigger syscall kills by signal 9; leave out --fault \(fault.rawValue).")
        }
    }

    private func checkFault(workload: Workload) throws {
        guard fault != .powerCutTorn else {
            throw ValidationError("--fault \(fault.rawValue) is not there; use sigkill.")
        }
    }

    /// What the plan has beyond one drawn kill per iteration.
    var refinement: KillPlan.Refinement {
        var refinement = KillPlan.Refinement()
        refinement.kills = kills
        refinement.isExhaustive = exhaustive
        return refinement
    }
}

/// A pinned moment: a size for `bytes`, a fraction for `time`, a phase, or the ordinal of a call.
struct PinnedMoment: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        text = argument
    }

    /// The moment in the terms of a trigger; nil when the text does not fit it.
    func trigger(of kind: TriggerKind, videoLength: Int64) -> Trigger? {
        switch kind {
        case .bytes:
            guard let size = ByteSize(text), (1..<videoLength).contains(size.bytes) else {
                return nil
            }
            return .bytes(size.bytes)
        case .time:
            if text == "never" { return .never }
            let isPercent = text.hasSuffix("%")
            guard let number = Double(isPercent ? String(text.dropLast()) : text) else {
                return nil
            }
            let fraction = isPercent ? number / 100 : number
            guard fraction > 0, fraction < 1 else { return nil }
            return .time(fraction)
        case .phase: return Phase(rawValue: text).map { .phase($0) }
        case .syscall: return CallMoment(text).map { .syscall($0) }
        case .random: return nil
        }
    }

    /// What would have fitted.
    func expected(by kind: TriggerKind, videoLength: Int64) -> String {
        switch kind {
        case .bytes: "a size from 1 to \(videoLength - 1) bytes"
        case .time, .random: "a fraction between 0 and 1"
        case .phase: "one of \(Phase.allCases.map(\.rawValue).joined(separator: ", "))"
        case .syscall: "the ordinal of a call, such as 137, or 137:after"
        }
    }
}
