internal import RigModel

extension Laboratory {
    /// Measures a first recovery where kills are planned in recoveries, by the policy's first kill.
    func measureRecovery(_ plan: PlannedIteration) async throws {
        guard plan.kills.contains(where: { $0.recoveryShare != nil }),
            knowledge.recoveries(of: plan.policy).isEmpty
        else { return }
        let single = PlannedIteration(
            iteration: plan.iteration, policy: plan.policy, kills: [plan.first], seed: plan.seed)
        let pace = try await pace(of: single).0
        let outcome = try await scenario.perform(
            single, pace: pace, stopwatch: IterationStopwatch(of: single))
        knowledge.remember(recoveries: outcome.recoveries, of: plan.policy)
        discard(outcome)
    }
}
