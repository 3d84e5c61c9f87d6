internal import ArgumentParser
internal import RigModel

/// How kills are spread over the phases of the worker's life.
struct PhaseOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "With --trigger phase: as many kills in each phase as in any other.")
    var stratify = false

    /// Refuses what has no phases to spread over.
    func check(_ kill: KillOptions) throws {
        guard stratify else { return }
        guard kill.trigger == .phase else {
            throw ValidationError("--stratify spreads kills over phases: add --trigger phase.")
        }
        if let moment = kill.at {
            throw ValidationError(
                "--stratify spreads kills over all phases, and --at names one, \(moment.text); "
                    + "leave one of them out.")
        }
    }

    /// Adds to a plan which phases its kills are drawn from.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a pinned phase that the worker never enters.
    func refine(
        _ refinement: KillPlan.Refinement, pinned: Trigger?, kind: TriggerKind, reach: PhaseReach
    ) throws -> KillPlan.Refinement {
        guard kind == .phase else { return refinement }
        if case .phase(let phase) = pinned, let objection = reach.objection(to: phase) {
            throw RigError(.usage, "--at \(phase.rawValue) cannot be killed in: \(objection)")
        }
        var refinement = refinement
        refinement.phases = reach.phases
        refinement.isStratified = stratify
        return refinement
    }
}
