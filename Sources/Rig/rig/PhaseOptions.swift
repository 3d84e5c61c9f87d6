internal import ArgumentParser
internal import RigModel

/// The distribution of kills over the worker's phases.
struct PhaseOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "With --trigger phase: as many kills in each phase as in any other.")
    var stratify = false

    /// Rejects options that leave no phases to distribute over.
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

    /// Sets the phases from which a plan's kills are drawn.
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
