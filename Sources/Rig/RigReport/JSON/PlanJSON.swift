package import RigModel

package enum PlanJSON {
    package static func text(_ preview: PlanPreview) -> String {
        let plan = preview.plan
        let strata = preview.awaitsLines ? [] : preview.strata
        return JSONValue([
            "schema": 1, "seed": "\(plan.seed)",
            "plan_digest": JSONValue.string(plan.hasKnownMoments ? plan.digest : nil),
            "workload": preview.workload.rawValue, "fault": preview.faultText,
            "trigger": plan.trigger.rawValue,
            "durability": plan.policies.first?.durability.rawValue,
            "video_bytes": JSONValue.integer(preview.workload.hasBytes ? plan.videoLength : nil),
            "policies": plan.policies.map(\.name),
            "partition": preview.partition.map { partition in
                JSONValue([
                    "slice": partition.text, "iterations": partition.size(of: plan.iterations),
                ])
            },
            "iterations": preview.killsPerPolicy.map { _ in plan.iterations },
            "kills_per_iteration": JSONValue.integer(plan.sparesWorkers ? 0 : plan.kills),
            "kills_per_policy": preview.killsPerPolicy,
            "violation_rate_ucb95_at_best": preview.rateBound?.decimals(6),
            "caveats": preview.caveats, "phases_in_reach": preview.reach.map(\.rawValue),
            "strata": strata.map { stratum in
                JSONValue([
                    "trigger": stratum.trigger.rawValue, "phase": stratum.phase?.rawValue,
                    "kills": stratum.kills,
                    "violation_rate_ucb95_at_best": stratum.rateBound?.decimals(6),
                ])
            },
            "needed": preview.needs.map { need in
                JSONValue([
                    "violation_rate_below": need.rate.decimals(6), "kills": need.kills,
                    "iterations": need.iterations,
                    "iterations_for_every_stratum": JSONValue.integer(
                        preview.awaitsLines ? nil : need.iterationsOfStrata),
                ])
            },
            "gates": preview.gates.map(gate),
        ]).document
    }

    private static func gate(_ gate: GatePreview) -> JSONValue {
        JSONValue([
            "gate": gate.gate, "reachable": gate.objection == nil,
            "iterations_needed": gate.iterationsNeeded, "objection": gate.objection,
        ])
    }
}
