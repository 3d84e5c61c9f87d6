internal import ArgumentParser
internal import RigModel

/// How kills are spread over the phases of the worker's life.
extension KillOptions {
    /// Refuses what has no phases to spread over.
    func checkPhases() throws {
        guard stratify else { return }
        guard trigger == .phase else {
            throw ValidationError("--stratify spreads kills over phases: add --trigger phase.")
        }
        if let at {
            throw ValidationError(
                "--stratify spreads kills over all phases, and --at names one, \(at.text); leave "
                    + "one of them out.")
        }
    }

    /// What the plan has beyond one drawn kill per iteration, with the phases that its kills are
    /// drawn from.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a pinned phase that the worker never enters.
    func refinement(pinned: Trigger?, reach: PhaseReach) throws -> KillPlan.Refinement {
        var refinement = refinement
        guard trigger == .phase else { return refinement }
        if case .phase(let phase) = pinned, let objection = reach.objection(to: phase) {
            throw RigError(.usage, "--at \(phase.rawValue) cannot be killed in: \(objection)")
        }
        refinement.phases = reach.phases
        return refinement
    }
}
