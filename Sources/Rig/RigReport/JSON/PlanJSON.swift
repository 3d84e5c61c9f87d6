package import RigModel

/// The output of `rig plan --json`.
package enum PlanJSON {
    package static func text(_ preview: PlanPreview) -> String {
        let plan = preview.plan
        return JSONValue.object([
            ("schema", .integer(1)),
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
            (
                "strata",
                preview.strata.table([
                    .text("trigger") { .string($0.trigger.rawValue) },
                    .text("phase") { .string($0.phase?.rawValue) },
                    .number("kills") { .integer($0.kills) },
                    .number("violation_rate_ucb95_at_best") { .decimal($0.rateBound, 6) },
                ]).objects
            ),
            (
                "needed",
                preview.needs.table([
                    .number("violation_rate_below") { .decimal($0.rate, 6) },
                    .number("kills") { .integer($0.kills) },
                    .number("iterations") { .integer($0.iterations) },
                    .number("iterations_for_every_stratum") { .integer($0.iterationsOfStrata) },
                ]).objects
            ),
            (
                "gates",
                preview.gates.table([
                    .text("gate") { .string($0.gate) },
                    .text("reachable") { .boolean($0.objection == nil) },
                    .number("iterations_needed") { .integer($0.iterationsNeeded) },
                    .text("objection") { .string($0.objection) },
                ]).objects
            ),
        ]).document
    }

    private static func part(_ partition: RunPartition, of plan: KillPlan) -> JSONValue {
        .object([
            ("slice", .string(partition.text)),
            ("iterations", .integer(partition.size(of: plan.iterations))),
        ])
    }
}
