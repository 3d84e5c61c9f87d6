package import RigModel

/// The output of `rig plan`: the plan, and what it can show at best.
package enum PlanTable {
    package static func text(_ preview: PlanPreview) -> String {
        var lines = [head(preview), scene(preview)]
        lines += preview.partition.map { [part($0, of: preview.plan)] } ?? []
        lines.append("")
        lines += policies(preview)
        lines += strata(preview)
        lines += [""] + conclusions(preview)
        lines += [""] + preview.gates.map(gate)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ preview: PlanPreview) -> String {
        let plan = preview.plan
        guard let kills = preview.killsPerPolicy else { return "seed \(plan.seed)" }
        let all = kills * plan.policies.count
        let what = plan.sparesWorkers ? "no worker is killed" : all.counted("kill")
        let digest = plan.hasKnownMoments ? ", digest \(plan.digest)" : ""
        return "\(what), seed \(plan.seed)\(digest)"
    }

    private static func scene(_ preview: PlanPreview) -> String {
        let plan = preview.plan
        let pinned = plan.at.map { " at \($0)" } ?? ""
        let size =
            preview.workload.hasBytes
            ? ", \(MetricUnit.readableBytes(Double(plan.videoLength)))" : ""
        return "trigger \(plan.trigger.rawValue)\(pinned), fault \(preview.faultText),"
            + " workload \(preview.workload.rawValue)\(size)"
    }

    private static func part(_ partition: RunPartition, of plan: KillPlan) -> String {
        let size = partition.size(of: plan.iterations)
        let each = plan.policies.count > 1 ? " of each policy" : ""
        return "\(partition.words): \(size) of \(plan.iterations.counted("iteration"))\(each); what"
            + " follows is for all parts together"
    }

    private static func policies(_ preview: PlanPreview) -> [String] {
        let plan = preview.plan
        let kills = preview.killsPerPolicy
        return plan.policies.table([
            .text("policy") { $0.name }.when(preview.workload.hasBytes),
            .text("durability") { $0.durability.rawValue }.when(preview.workload.hasBytes),
            .figure("iterations") { _ in kills == nil ? .null : .integer(plan.iterations) },
            .figure("kills each") { _ in plan.sparesWorkers ? .null : .integer(plan.kills) },
            .figure("kills") { _ in .integer(kills) },
            .number("rate below at best") { _ in preview.rateBound.map(rate) },
        ]).lines
    }

    private static func strata(_ preview: PlanPreview) -> [String] {
        guard !preview.strata.isEmpty, !preview.awaitsLines else { return [] }
        let hasPhases = preview.strata.contains { $0.phase != nil }
        let table = preview.strata.table([
            .text("trigger") { $0.trigger.rawValue },
            .text("phase") { $0.phase?.rawValue ?? "" }.when(hasPhases),
            .count("kills", \.kills),
            .number("rate below at best") { $0.rateBound.map(rate) },
        ])
        return (preview.plan.policies.count > 1 ? ["", "of each policy:"] : [""]) + table.lines
    }

    private static func conclusions(_ preview: PlanPreview) -> [String] {
        var lines = preview.caveats
        if preview.plan.sparesWorkers { return lines }
        if let bound = preview.rateBound {
            let each = preview.plan.policies.count > 1 ? " of each policy" : ""
            lines.append(
                "if no kill breaks a promise, the true rate\(each) is below \(rate(bound))"
                    + " (95 % confidence)")
        } else if preview.killsPerPolicy == nil {
            lines.append(
                "the run counts the calls of an uninterrupted run first: what it can show depends"
                    + " on how many there are")
        }
        if preview.awaitsLines {
            lines.append(
                "the run counts the lines that the program says first: if there are any, half of"
                    + " the kills come right after one, and the others by the clock")
        }
        if preview.plan.trigger != .phase, preview.workload.hasBytes {
            lines.append(
                "in which phases kills land is measured, not planned; --trigger phase --stratify"
                    + " plans it")
        }
        return lines + preview.needs.map { need($0, preview) }
    }

    private static func need(_ need: RateNeed, _ preview: PlanPreview) -> String {
        let strata = need.iterationsOfStrata.flatMap { iterations in
            preview.strata.count > 1 ? "; in every stratum: --iterations \(iterations)" : nil
        }
        let percent = need.rate * 100
        let decimals = percent.rounded() == percent ? 0 : 1
        return "below \(Figure.percent(percent, decimals: decimals)):"
            + " \(need.kills.counted("kill")) without a violation,"
            + " --iterations \(need.iterations)\(strata ?? "")"
    }

    private static func gate(_ gate: GatePreview) -> String {
        let title = PrintableText.line(gate.gate)
        guard gate.objection != nil else {
            let needed = gate.iterationsNeeded ?? 1
            let least = needed > 1 ? " (needs >= \(needed) iterations)" : ""
            return "gate can hold     \(title)\(least)"
        }
        let why = gate.iterationsNeeded.map { "needs >= \($0) iterations" } ?? "however many"
        return "gate cannot hold  \(title) (\(why))"
    }

    private static func rate(_ value: Double) -> String { Figure.percent(value * 100) }
}
