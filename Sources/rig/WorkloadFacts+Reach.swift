internal import RigModel
internal import RigVerdict

extension WorkloadFacts {
    /// The phases that a kill of the plan can land in.
    ///
    /// Where phases are planned, they are those in which any policy can be killed. Kills by chance
    /// can land in more: only what a worker of this kind never does is out of their reach.
    func reach(of plan: KillPlan) -> [Phase] {
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

    /// The size of a planned run, by which its gates are checked.
    func size(of plan: KillPlan) -> RunSize { RunSize(plan, phases: reach(of: plan)) }
}

extension Manifest {
    /// The size of the run.
    var size: RunSize { size(of: plan) }
}
