package import RigModel
package import RigVerdict

extension WorkloadFacts {
    /// The phases that a kill of the plan can land in, in the order in which a worker enters them.
    ///
    /// A phase is in reach if any policy can be killed in it. In `offline-library`, kills that are
    /// not planned by phase can land in every phase.
    ///
    /// - Parameter worker: without a witness page its phases cannot be observed.
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
    /// The phases in which its kills can be observed.
    var reach: [Phase] { get throws { try reach(of: plan, by: storedProfile) } }

    /// The size of the run, against which its gates are checked.
    package var size: RunSize { get throws { RunSize(plan, phases: try reach) } }
}
