internal import RigModel
internal import RigVerdict

extension WorkloadFacts {
    /// The phases that a kill of the plan can land in.
    ///
    /// Where phases are planned, they are those in which any policy can be killed. Kills by chance
    /// can land in more: only what a worker of this kind never does is out of their reach.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - worker: the worker; without a witness page nobody sees its phases.
    /// - Returns: the phases, in the order of a life.
    func reach(of plan: KillPlan, by worker: WorkerProfile) -> [Phase] {
        guard worker.writesWitness else { return [] }
        if workload == .offlineLibrary, plan.trigger != .phase { return Phase.allCases }
        return Phase.allCases.filter { phase in
            plan.policies.contains { policy in
                let reach = PhaseReach(
                    workload: workload, policies: [policy], videoLength: plan.videoLength,
                    capacity: capacity?.bytes)
                return reach.objection(to: phase) == nil
            }
        }
    }
}

extension Manifest {
    /// The phases that its kills can be seen to land in.
    var reach: [Phase] { get throws { try reach(of: plan, by: storedProfile) } }

    /// The size of the run, by which its gates are checked.
    var size: RunSize { get throws { RunSize(plan, phases: try reach) } }
}
