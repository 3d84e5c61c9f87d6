/// What a planned run can show at best, if no kill breaks a promise.
package struct PlanPreview: Sendable, Hashable {
    package let plan: KillPlan
    package let fault: Fault
    package let workload: Workload
    package let reach: [Phase]
    /// Kills per policy; nil when system calls must be counted first.
    package let killsPerPolicy: Int?
    package let strata: [PlannedStratum]
    package let needs: [RateNeed]
    package let gates: [GatePreview]
    /// The best bound of a policy's violation rate; nil if unknown, and where caveats replace it.
    package let rateBound: Double?
    /// Why a violation rate would mean nothing, one line each; empty when it is meaningful.
    package let caveats: [String]
    /// The part to carry out, nil for all; what is shown holds for all parts merged.
    package var partition: RunPartition?
    /// How long a worker may take that is asked to end; nil for the standard.
    package var grace: Grace?
    package var faultText: String { fault.text(grace) }
    /// True where half of the kills come after lines, if the run finds that the program says any.
    package var awaitsLines: Bool { plan.needsLines && plan.trigger == .random && partition == nil }

    package init(
        plan: KillPlan, fault: Fault, workload: Workload, reach: [Phase], killsPerPolicy: Int?,
        strata: [PlannedStratum], needs: [RateNeed], gates: [GatePreview], rateBound: Double?,
        caveats: [String] = []
    ) {
        (self.plan, self.fault, self.workload, self.reach) = (plan, fault, workload, reach)
        (self.killsPerPolicy, self.strata, self.needs) = (killsPerPolicy, strata, needs)
        (self.gates, self.rateBound, self.caveats) = (gates, rateBound, caveats)
    }
}

package struct PlannedStratum: Sendable, Hashable {
    package let trigger: TriggerKind
    /// The phase they are planned in; nil when the trigger determines the phase.
    package let phase: Phase?
    package let kills: Int
    /// The best possible bound of their violation rate, 0 to 1; nil without kills.
    package let rateBound: Double?

    package init(trigger: TriggerKind, phase: Phase?, kills: Int, rateBound: Double?) {
        (self.trigger, self.phase, self.kills, self.rateBound) = (trigger, phase, kills, rateBound)
    }
}

package struct RateNeed: Sendable, Hashable {
    /// The rate to stay below, 0 to 1.
    package let rate: Double
    /// The number of kills needed, all without a violation.
    package let kills: Int
    package let iterations: Int
    /// The iterations that give every planned stratum that many kills; nil without strata.
    package let iterationsOfStrata: Int?

    package init(rate: Double, kills: Int, iterations: Int, iterationsOfStrata: Int?) {
        (self.rate, self.kills, self.iterations) = (rate, kills, iterations)
        self.iterationsOfStrata = iterationsOfStrata
    }
}

package struct GatePreview: Sendable, Hashable {
    package let gate: String
    /// The smallest number of iterations with which it can hold; nil when no number is enough.
    package let iterationsNeeded: Int?
    /// Why it cannot hold in this run, and what to do; nil when it can.
    package let objection: String?

    package init(gate: String, iterationsNeeded: Int?, objection: String?) {
        (self.gate, self.iterationsNeeded, self.objection) = (gate, iterationsNeeded, objection)
    }
}
