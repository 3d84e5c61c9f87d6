import RigModel

/// The page's sections on the policies.
struct PolicySections {
    private let run: ReportedRun

    init(_ run: ReportedRun) { self.run = run }

    var table: PageTable {
        var columns: [PageTable.Column] = [
            .text("policy"), .number("\(run.unit)s"), .number("failed"), .number("left out"),
        ]
        if !run.sparesWorkers {
            columns += [
                .number("worst loss"), .number("allowed"), .number("typical loss"),
                .number("share lost"), .number("95 % interval"), .number("everything lost"),
                .number("recovery"),
            ]
        }
        return PageTable(
            run.sparesWorkers ? "Each policy" : "Losses and recovery of each policy", columns,
            run.summary.policies.enumerated().map { index, summary in
                var policy = PageTable.Cell(PageText.clipped(summary.policy, bytes: 200))
                policy.link = "#policy-\(index + 1)"
                return [policy] + Self.counts(summary)
                    + (run.sparesWorkers ? [] : Self.figures(summary))
            })
    }

    /// What saving costs each policy; nil where it is not known.
    var costs: PageTable? {
        let rows = CostCells.rows(run.summary.policies)
        guard !run.sparesWorkers, !rows.isEmpty else { return nil }
        return PageTable(
            "What saving cost until the kill, per MB received",
            [.text("policy")] + CostCells.titles.dropFirst().map { .number($0) },
            texts: rows.map { [PageText.clipped($0[0], bytes: 200)] + $0.dropFirst() })
    }

    private static func counts(_ summary: PolicySummary) -> [PageTable.Cell] {
        [
            PageTable.Cell(Figure.count(summary.iterations)),
            PageTable.Cell(Figure.count(summary.violations), summary.violations > 0 ? .bad : nil),
            PageTable.Cell(Figure.count(summary.inconclusive)),
        ]
    }

    /// The cells that only kills have.
    private static func figures(_ summary: PolicySummary) -> [PageTable.Cell] {
        [
            PageTable.Cell(Figure.bytes(summary.lostBytesMax)),
            PageTable.Cell(
                summary.boundBytes == nil ? "no limit" : Figure.bytes(summary.boundBytes)),
            PageTable.Cell(Figure.bytes(summary.lostBytesMedian)),
            PageTable.Cell(Figure.percent(summary.lossPercent)),
            PageTable.Cell(Figure.percentInterval(summary.lossPercentInterval)),
            PageTable.Cell(Figure.count(summary.keptNothing)),
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
            // The phases of a worker that is observed only from outside are not known.
            "hasStrata": .flag(strata.contains { $0.phase != nil }),
            "strata": .one(Self.table(strata, summary.policy).fields),
            "notes": .list(
                Self.notes(summary.strata).map { Fields(["note": .text($0)]) }),
            "loss": .list(
                kills.isEmpty ? [] : [LossStrip.plot(summary, id: id).fields]),
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

    private static func table(_ strata: [Stratum], _ policy: String) -> PageTable {
        PageTable(
            "What the worker did when it was killed, \(policy)",
            [.text("killed while"), .number("kills"), .number("failed"), .text("kills that fail")],
            strata.map { stratum in
                [
                    PageTable.Cell(stratum.phase?.activity ?? Figure.notKnown),
                    PageTable.Cell(Figure.count(stratum.kills)),
                    PageTable.Cell(
                        Figure.count(stratum.violations), stratum.violations > 0 ? .bad : nil),
                    PageTable.Cell(
                        stratum.violationRateUCB95.map(VerdictFigure.fewerThan)
                            ?? Figure.notKnown),
                ]
            })
    }

    /// Notes on the phases without a kill.
    private static func notes(_ strata: [Stratum]) -> [String] {
        let empty = strata.filter { $0.kills == 0 }
        let never = empty.filter(\.isInReach).compactMap(\.phase?.activity)
        let beyond = empty.filter { !$0.isInReach }.compactMap(\.phase?.activity)
        return [
            never.isEmpty ? nil : "Never killed while \(never.joined(separator: ", ")).",
            beyond.isEmpty
                ? nil : "This workload does none of: \(beyond.joined(separator: ", ")).",
        ].compactMap { $0 }
    }
}
