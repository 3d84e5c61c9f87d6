package import RigModel

extension RunSize {
    package init(_ plan: KillPlan, phases: [Phase] = Phase.allCases) {
        self.init(
            policies: plan.policies.map(\.name),
            // The number of calls is unknown before the run, so nothing can be refused yet.
            iterations: plan.hasKnownSize ? plan.iterations : KillPlan.mostIterations,
            killsPerIteration: plan.kills, phases: phases, sparesWorkers: plan.sparesWorkers)
    }
}

extension PlanPreview {
    private static let rates = [0.01, 0.001]

    /// Computes what a plan can show at best; exit code 64 for a gate on an unknown policy.
    package init(
        of plan: KillPlan, fault: Fault, workload: Workload, reach: [Phase], gates: [Gate],
        baseline: GateBaseline? = nil
    ) throws(RigError) {
        var size = RunSize(plan, phases: reach)
        size.baseline = baseline
        var previews: [GatePreview] = []
        for gate in gates {
            try gate.checkPolicy(size.policies)
            previews.append(gate.reach(size))
        }
        let kills = plan.sparesWorkers ? 0 : plan.hasKnownSize ? size.rowsPerPolicy : nil
        let caveats = Self.caveats(plan, fault)
        let promisesAnything = caveats.isEmpty
        let strata =
            kills == nil || plan.sparesWorkers
            ? [] : Self.strata(of: plan, hasRate: promisesAnything)
        self.init(
            plan: plan, fault: fault, workload: workload, reach: reach, killsPerPolicy: kills,
            strata: strata,
            needs: kills == nil || !promisesAnything ? [] : Self.needs(plan, strata),
            gates: previews,
            rateBound: promisesAnything
                ? kills.flatMap { Binomial.upperBound(events: 0, trials: $0) } : nil,
            caveats: caveats)
    }

    /// Why a rate of broken promises would be meaningless; empty when it is meaningful.
    private static func caveats(_ plan: KillPlan, _ fault: Fault) -> [String] {
        if plan.sparesWorkers { return [Wording.noWorkerIsKilled] }
        // All policies of a run have the same durability.
        guard plan.policies.allSatisfy({ !$0.survives(fault) }) else { return [] }
        return FaultSentences.of(plan.policies, under: fault)
    }

    /// The kills of one policy by trigger and planned phase; they are the same for every policy.
    private static func strata(of plan: KillPlan, hasRate: Bool) -> [PlannedStratum] {
        guard let policy = plan.policies.first else { return [] }
        var counts: [TriggerKind: [Phase?: Int]] = [:]
        for index in 1...max(1, plan.iterations) {
            for kill in plan.iteration(index, policy: policy).kills {
                counts[kill.trigger.kind, default: [:]][kill.trigger.phase, default: 0] += 1
            }
        }
        // Phases to draw from are listed even if none of the kills drew them.
        let phases = plan.trigger == .phase && plan.pinned == nil ? plan.phases : []
        for phase in phases { counts[.phase, default: [:]][phase, default: 0] += 0 }
        return TriggerKind.allCases.flatMap { trigger in
            ([nil] + Phase.allCases).compactMap { (phase: Phase?) -> PlannedStratum? in
                guard let kills = counts[trigger]?[phase] else { return nil }
                return PlannedStratum(
                    trigger: trigger, phase: phase, kills: kills,
                    rateBound: hasRate ? Binomial.upperBound(events: 0, trials: kills) : nil)
            }
        }
    }

    private static func needs(_ plan: KillPlan, _ strata: [PlannedStratum]) -> [RateNeed] {
        rates.compactMap { rate in
            guard let kills = Binomial.trialsNeeded(toBoundBelow: rate) else { return nil }
            return RateNeed(
                rate: rate, kills: kills, iterations: (kills - 1) / plan.kills + 1,
                iterationsOfStrata: iterations(of: strata, each: kills, plan))
        }
    }

    /// About how many iterations give every stratum that many kills, at the plan's proportions.
    private static func iterations(
        of strata: [PlannedStratum], each kills: Int, _ plan: KillPlan
    ) -> Int? {
        if plan.refinement?.isStratified == true, plan.kills == 1 { return kills * strata.count }
        guard let smallest = strata.map(\.kills).min(), smallest > 0 else { return nil }
        return (kills * plan.iterations - 1) / smallest + 1
    }
}
