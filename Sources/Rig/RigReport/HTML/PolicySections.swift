import RigModel

struct PolicySections {
    let run: ReportedRun

    var table: Table {
        let all = SummaryColumns.all
        let (key, title) = run.hasBytes ? ("policy", "policy") : ("worker", "program")
        var columns = all.titled([
            key: title, "iterations": "\(run.unit)s", "violations": "failed",
            "inconclusive": "left out",
        ])
        if run.hasBytes, !run.sparesWorkers {
            columns += all.titled([
                "lost_bytes_max": "worst loss", "bound_bytes": "allowed",
                "lost_bytes_median": "typical loss", "loss_percent": "share lost",
            ])
            columns.append(
                .number("95 % interval") { Figure.percentInterval($0.lossPercentInterval) })
            columns += all.titled(["kept_nothing": "everything lost"])
        }
        if !run.hasBytes || !run.sparesWorkers {
            columns += all.titled(["recovery_seconds_median": "recovery"])
        }
        let caption = run.sparesWorkers ? "Each policy" : "Losses and recovery of each policy"
        return run.summary.policies.table(columns)
            .captioned(run.hasBytes ? caption : "What the check has judged")
            .linked { "#policy-\($0 + 1)" }
    }

    var costs: Table? {
        guard !run.sparesWorkers, run.hasBytes else { return nil }
        return SummaryColumns.costs(run.summary.policies, policy: "policy")?
            .captioned("What saving cost until the kill, per MB received", absent: "-")
    }

    var sections: [Fields] {
        let rows = Dictionary(grouping: run.rows, by: \.policy)
        let total = run.rows.count
        let grain = total <= 2_000 ? 0.5 : total <= 20_000 ? 1.0 : 2.0
        return run.summary.policies.enumerated().map { index, summary in
            section(summary, rows[summary.policy] ?? [], id: "policy-\(index + 1)", grain: grain)
        }
    }

    private func section(
        _ summary: PolicySummary, _ rows: [IterationRow], id: String, grain: Double
    ) -> Fields {
        let kills = rows.filter { $0.verdict != .inconclusive && !$0.isSpared }
        let lost = LossPlots(
            summary: summary, rows: kills, id: id, videoLength: run.manifest.video.length,
            grain: grain)
        let plots =
            kills.isEmpty
            ? []
            : (run.hasBytes ? [lost.distribution, lost.scatter] : [])
                + [RecoveryPlot.plot(kills, summary, id: id)]
        let strata = summary.strata.filter { $0.kills > 0 }
        let loss: [Fields] =
            kills.isEmpty || !run.hasBytes ? [] : [LossStrip.plot(summary, id: id).fields]
        let title = run.hasBytes ? "Policy \(summary.policy)" : summary.worker
        return Fields([
            "id": id, "policy": PageText.clipped(title, bytes: 200), "line": line(summary),
            "plots": plots.map(\.fields),
            // The phases of a worker that is observed only from outside are not known.
            "hasStrata": strata.contains { $0.phase != nil },
            "strata": Self.table(strata, summary.policy).fields,
            "notes": Self.notes(summary.strata).map { Fields(["note": $0]) }, "loss": loss,
        ])
    }

    private func line(_ summary: PolicySummary) -> String {
        let kills =
            "\(Figure.counted(summary.kills, run.unit))\(run.sparesWorkers ? " without a kill" : ""): "
            + "\(Figure.count(summary.passed)) passed, \(Figure.count(summary.failed)) failed, "
            + "\(Figure.count(summary.inconclusive)) left out"
        let rate = summary.violationRateUCB95.map {
            ". If \(run.unit)s fail, \(VerdictFigure.fewerThan($0)) do (95 % confidence)"
        }
        let missing = ". No worker was killed: there is neither loss nor recovery to show"
        return kills + (run.sparesWorkers ? missing : rate ?? "") + "."
    }

    private static func table(_ strata: [Stratum], _ policy: String) -> Table {
        strata.table([
            .text("killed while") { $0.phase?.activity },
            .count("kills", \.kills), .failures("failed", \.violations),
            .figure("kills that fail", .word) { .rate($0.violationRateUCB95) },
        ]).captioned("What the worker did when it was killed, \(policy)")
    }

    private static func notes(_ strata: [Stratum]) -> [String] {
        let empty = strata.filter { $0.kills == 0 }
        let never = empty.filter(\.isInReach).compactMap(\.phase?.activity)
        let beyond = empty.filter { !$0.isInReach }.compactMap(\.phase?.activity)
        return [
            never.isEmpty ? nil : "Never killed while \(never.joined(separator: ", ")).",
            beyond.isEmpty ? nil : "This workload does none of: \(beyond.joined(separator: ", ")).",
        ].compactMap { $0 }
    }
}
