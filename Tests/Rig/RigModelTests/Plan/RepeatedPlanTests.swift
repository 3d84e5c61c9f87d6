import RigModel
import Testing

/// A plan that begins with a planned iteration of another plan.
struct RepeatedPlanTests {
    /// The random values of an iteration stay the same, whichever index it gets.
    @Test(arguments: [TriggerKind.random, .bytes, .time, .syscall], [1, 2, 7, 100])
    func theFirstIterationIsThePlannedOne(trigger: TriggerKind, index: Int) {
        let policies = ["512KB", "disabled"].compactMap { Policy($0) }
        let plan = KillPlanTests.plan(
            seed: 0xFEED_5EED, iterations: 100, policies: policies, trigger: trigger
        ) {
            $0.kills = 3
            // Every other plan is for a worker without phases.
            $0.lacksPhases = index.isMultiple(of: 2) ? true : nil
            $0.aimsAtRecoveries = index > 2 ? true : nil
            $0.points = ["512KB": 400, "disabled": 90]
        }
        for policy in policies {
            let planned = plan.iteration(index, policy: policy)
            let repeated = plan.repeating(planned).iteration(1, policy: policy)
            #expect(repeated.seed == planned.seed)
            #expect(repeated.kills == planned.kills)
            #expect(repeated.kills.count == 3)
        }
        let planned = plan.iteration(index, policy: policies[0])
        #expect(plan.repeating(planned).schedule.count == 1)
    }
}
