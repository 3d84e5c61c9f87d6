import RigModel

/// The page's sections on the policies.
struct PolicySections {
    private let run: ReportedRun

    init(_ run: ReportedRun) { self.run = run }

    /// The table of all policies.
    var table: PageTable {
        var columns: [PageTable.Column] = [
            .text("policy"), .number("iterations"), .number("violations"),
            .number("inconclusive"),
        ]
        if !run.sparesWorkers {
            columns += [
                .number("loss"), .number("95 % interval"),
                .number("allowed"), .number("documented"), .number("lost median"),
                .number("lost p95"), .number("lost max"), .number("kept nothing"),
                .number("bound"), .number("refetched"), .number("recovery median"),
            ]
        }
        return PageTable(
            "Every policy in a row", columns,
            run.summary.policies.enumerated().map { index, summary in
                var policy = PageTable.Cell(PageText.clipped(summary.policy, bytes: 200))
                policy.link = "#policy-\(index + 1)"
                return [policy] + Self.counts(summary)
                    + (run.sparesWorkers ? [] : Self.figures(summary))
            })
    }

    private static func counts(_ summary: PolicySummary) -> [PageTable.Cell] {
        let violations = Figure.count(summary.violations)
        return [
            PageTable.Cell(Figure.count(summary.iterations)),
            summary.violations > 0
                ? PageTable.Cell(violations, .bad) : PageTable.Cell(violations),
            PageTable.Cell(Figure.count(summary.inconclusive)),
        ]
    }

    /// The cells that only kills have.
    private static func figures(_ summary: PolicySummary) -> [PageTable.Cell] {
        [
            PageTable.Cell(Figure.percent(summary.lossPercent)),
            PageTable.Cell(
                Figure.percentInterval(summary.lossPercentInterval)),
            PageTable.Cell(
                summary.boundBytes == nil ? "–" : Figure.percent(summary.allowedLossPercent)),
            PageTable.Cell(summary.documentedLossPercent.map { "\($0) %" } ?? "–"),
            PageTable.Cell(Figure.bytes(summary.lostBytesMedian)),
            PageTable.Cell(Figure.bytes(summary.lostBytesP95)),
            PageTable.Cell(Figure.bytes(summary.lostBytesMax)),
            PageTable.Cell(Figure.count(summary.keptNothing)),
            PageTable.Cell(
                summary.boundBytes == nil ? "none" : Figure.bytes(summary.boundBytes)),
            PageTable.Cell(Figure.bytes(summary.refetchedBytes)),
            PageTable.Cell(Figure.seconds(summary.recoverySecondsMedian)),
        ]
    }

    /// A section with plots for each policy.
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
            : [
                lost.distribution, lost.scatter, RecoveryPlot.plot(kills, summary, id: id),
            ]
        let strata = summary.strata.filter { $0.kills > 0 }
        return Fields([
            "id": .text(id), "policy": .text(PageText.clipped(summary.policy, bytes: 200)),
            "line": .text(line(summary)),
            "plots": .list(plots.map(\.fields)),
            "hasStrata": .flag(!strata.isEmpty),
            "strata": .one(Self.table(strata, summary.policy).fields),
            "notes": .list(
                Self.notes(summary.strata).map { Fields(["note": .text($0)]) }),
            "loss": .list(
                kills.isEmpty ? [] : [LossStrip.plot(summary, id: id).fields]),
        ])
    }

    private func line(_ summary: PolicySummary) -> String {
        let unit = run.sparesWorkers ? "iteration" : "row"
        let kills =
            "\(Figure.counted(summary.kills, unit))\(run.sparesWorkers ? " without a kill" : ""): "
            + "\(Figure.count(summary.passed)) passed, "
            + "\(Figure.count(summary.failed)) failed, \(Figure.count(summary.inconclusive)) "
            + "inconclusive"
        let rate = summary.violationRateUCB95.map {
            ". The true rate of violations is below \(Figure.percent($0 * 100)) (95 % confidence)"
        }
        let missing = ". No worker was killed: there is neither loss nor recovery to show"
        return kills + (run.sparesWorkers ? missing : rate ?? "") + "."
    }

    private static func table(_ strata: [Stratum], _ policy: String) -> PageTable {
        PageTable(
            "Kills by the phase in which they landed, \(policy)",
            [.text("phase"), .number("kills"), .number("violations"), .number("rate below")],
            strata.map { stratum in
                let violations = Figure.count(stratum.violations)
                return [
                    PageTable.Cell(stratum.phase?.rawValue ?? Figure.notKnown),
                    PageTable.Cell(Figure.count(stratum.kills)),
                    stratum.violations > 0
                        ? PageTable.Cell(violations, .bad) : PageTable.Cell(violations),
                    PageTable.Cell(
                        Figure.percent(stratum.violationRateUCB95.map { $0 * 100 })),
                ]
            })
    }

    /// Notes on the phases without a kill.
    private static func notes(_ strata: [Stratum]) -> [String] {
        let empty = strata.filter { $0.kills == 0 }
        let never = empty.filter(\.isInReach).compactMap(\.phase?.rawValue)
        let beyond = empty.filter { !$0.isInReach }.compactMap(\.phase?.rawValue)
        return [
            never.isEmpty ? nil : "Never hit: \(never.joined(separator: ", ")).",
            beyond.isEmpty
                ? nil : "Not in reach of this workload: \(beyond.joined(separator: ", ")).",
        ].compactMap { $0 }
    }
}
