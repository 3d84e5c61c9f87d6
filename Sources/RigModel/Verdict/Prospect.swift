/// What a planned run can show at best: what follows if no kill breaks a promise.
package struct Prospect: Sendable, Hashable {
    /// The plan.
    package let plan: KillPlan
    /// What happens at each kill.
    package let fault: Fault
    /// What the worker does meanwhile.
    package let workload: Workload
    /// The phases that the workload can be in.
    package let reach: [Phase]
    /// Kills of each policy; nil where calls have to be counted first.
    package let killsPerPolicy: Int?
    /// How the kills of one policy are spread, as far as that is planned.
    package let strata: [PlannedStratum]
    /// What it takes to bound the rate of violations lower.
    package let needs: [RateNeed]
    /// Every gate, and whether it can hold.
    package let gates: [GateProspect]
    /// The bound of each policy's violation rate at best, 0 to 1; nil where it is not known, and
    /// where ``caveats`` stand in its place.
    package let rateBound: Double?
    /// Why a rate of broken promises would say nothing, one line each; empty where it says
    /// something.
    package let caveats: [String]
    /// The part of the plan that is to be carried out; nil for all of it.
    ///
    /// What the plan can show it shows when all parts are merged.
    package var partition: RunPartition?

    /// A prospect.
    package init(
        plan: KillPlan, fault: Fault, workload: Workload, reach: [Phase], killsPerPolicy: Int?,
        strata: [PlannedStratum], needs: [RateNeed], gates: [GateProspect], rateBound: Double?,
        caveats: [String] = []
    ) {
        self.plan = plan
        self.fault = fault
        self.workload = workload
        self.reach = reach
        self.killsPerPolicy = killsPerPolicy
        self.strata = strata
        self.needs = needs
        self.gates = gates
        self.rateBound = rateBound
        self.caveats = caveats
    }
}

/// Kills of one policy that are planned alike.
package struct PlannedStratum: Sendable, Hashable {
    /// What decides their moments.
    package let trigger: TriggerKind
    /// The phase they are planned in; nil where it is the trigger's doing in which they land.
    package let phase: Phase?
    /// How many there are.
    package let kills: Int
    /// The bound of their violation rate at best, 0 to 1; nil without kills.
    package let rateBound: Double?

    /// A stratum.
    package init(trigger: TriggerKind, phase: Phase?, kills: Int, rateBound: Double?) {
        self.trigger = trigger
        self.phase = phase
        self.kills = kills
        self.rateBound = rateBound
    }
}

/// What it takes to bound a rate.
package struct RateNeed: Sendable, Hashable {
    /// The rate to stay below, 0 to 1.
    package let rate: Double
    /// Kills without a violation.
    package let kills: Int
    /// Iterations that have so many kills.
    package let iterations: Int
    /// Iterations with which every planned stratum has so many; nil where there are no strata.
    package let iterationsOfStrata: Int?

    /// A need.
    package init(rate: Double, kills: Int, iterations: Int, iterationsOfStrata: Int?) {
        self.rate = rate
        self.kills = kills
        self.iterations = iterations
        self.iterationsOfStrata = iterationsOfStrata
    }
}

/// Whether a gate can hold.
package struct GateProspect: Sendable, Hashable {
    /// The gate as it was written.
    package let gate: String
    /// The fewest iterations with which it can hold; nil where no number is enough.
    package let iterationsNeeded: Int?
    /// Why it cannot hold in this run, and what to do; nil where it can.
    package let objection: String?

    /// A gate's prospect.
    package init(gate: String, iterationsNeeded: Int?, objection: String?) {
        self.gate = gate
        self.iterationsNeeded = iterationsNeeded
        self.objection = objection
    }
}
