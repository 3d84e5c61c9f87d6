package import RigModel

/// The output of `rig plan --json`.
package enum PlanJSON {
    /// The version of the document.
    package static let schema = 1

    /// The whole document; keys always come in the same order.
    package static func text(_ preview: PlanPreview) -> String {
        let plan = preview.plan
        return JSONValue.object([
            ("schema", .integer(schema)),
            ("seed", .string(String(plan.seed))),
            ("plan_digest", plan.hasKnownMoments ? .string(plan.digest) : .null),
            ("workload", .string(preview.workload.rawValue)),
            ("fault", .string(preview.faultText)),
            ("trigger", .string(plan.trigger.rawValue)),
            ("durability", .string(plan.policies.first?.durability.rawValue)),
            ("video_bytes", .integer(preview.workload.hasBytes ? plan.videoLength : nil)),
            ("policies", .array(plan.policies.map { .string($0.name) })),
            ("partition", preview.partition.map { part($0, of: plan) } ?? .null),
            ("iterations", .integer(preview.killsPerPolicy.map { _ in plan.iterations })),
            ("kills_per_iteration", .integer(plan.sparesWorkers ? 0 : plan.kills)),
            ("kills_per_policy", .integer(preview.killsPerPolicy)),
            ("violation_rate_ucb95_at_best", .decimal(preview.rateBound, 6)),
            ("caveats", .array(preview.caveats.map { .string($0) })),
            ("phases_in_reach", .array(preview.reach.map { .string($0.rawValue) })),
            ("strata", .array(preview.strata.map(stratum))),
            ("needed", .array(preview.needs.map(need))),
            ("gates", .array(preview.gates.map(gate))),
        ]).document
    }

    private static func part(_ partition: RunPartition, of plan: KillPlan) -> JSONValue {
        .object([
            ("slice", .string(partition.text)),
            ("iterations", .integer(partition.size(of: plan.iterations))),
        ])
    }

    private static func stratum(_ stratum: PlannedStratum) -> JSONValue {
        .object([
            ("trigger", .string(stratum.trigger.rawValue)),
            ("phase", .string(stratum.phase?.rawValue)),
            ("kills", .integer(stratum.kills)),
            ("violation_rate_ucb95_at_best", .decimal(stratum.rateBound, 6)),
        ])
    }

    private static func need(_ need: RateNeed) -> JSONValue {
        .object([
            ("violation_rate_below", .decimal(need.rate, 6)),
            ("kills", .integer(need.kills)),
            ("iterations", .integer(need.iterations)),
            ("iterations_for_every_stratum", .integer(need.iterationsOfStrata)),
        ])
    }

    private static func gate(_ gate: GatePreview) -> JSONValue {
        .object([
            ("gate", .string(gate.gate)),
            ("reachable", .boolean(gate.objection == nil)),
            ("iterations_needed", .integer(gate.iterationsNeeded)),
            ("objection", .string(gate.objection)),
        ])
    }
}
