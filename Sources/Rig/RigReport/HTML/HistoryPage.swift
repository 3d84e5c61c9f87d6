package import RigModel

/// The page of `rig history page`: the figures of runs over time, and where they change.
package enum HistoryPage {
    /// A self-contained HTML page in UTF-8; unknown figures are labelled as such.
    package static func text(_ report: HistoryReport) -> String {
        let changes = HistoryTables.changes(report)
        let headline = HistoryTables.headline(report)
        return PageTemplates.render(
            Fields([
                "title": .text("history: \(headline)"), "headline": .text(headline),
                "span": .text(span(report)),
                "hasChanges": .flag(!changes.isEmpty),
                "changes": .one(HistoryTables.changeTable(report).fields),
                "jobs": .list(jobs(report)),
                "runs": .one(HistoryTables.runTable(report).fields),
            ]), with: "history")
    }

    private static func span(_ report: HistoryReport) -> String {
        guard let first = report.runs.first, let last = report.runs.last else { return "" }
        return "\(HistoryTables.time(first.startedAt)) to \(HistoryTables.time(last.startedAt))"
    }

    private static func jobs(_ report: HistoryReport) -> [Fields] {
        var order: [HistoryJob] = []
        for series in report.series where !order.contains(series.job) { order.append(series.job) }
        let shared = sharedFacts(order)
        return order.enumerated().map { index, job in
            var facts = PageFacts()
            for fact in job.facts where !fact.value.isEmpty && !shared.contains(fact) {
                facts.add(fact.name.prefix(1).uppercased() + fact.name.dropFirst(), fact.value)
            }
            return Fields([
                "id": .text("job-\(index + 1)"),
                "job": .text(PageText.clipped(job.title, bytes: 300)),
                "facts": facts.list,
                "policies": .list(policies(report, job, id: "job-\(index + 1)")),
            ])
        }
    }

    /// The facts that do not tell the jobs apart; none where there is one job.
    private static func sharedFacts(_ jobs: [HistoryJob]) -> Set<HistoryJob.Fact> {
        guard jobs.count > 1, let first = jobs.first else { return [] }
        return jobs.dropFirst().reduce(Set(first.facts)) { $0.intersection($1.facts) }
    }

    private static func policies(
        _ report: HistoryReport, _ job: HistoryJob, id: String
    ) -> [Fields] {
        let lines = report.series.filter { $0.job == job }
        var names: [String] = []
        for line in lines where !names.contains(line.policy) { names.append(line.policy) }
        return names.enumerated().map { index, name in
            let own = "\(id)-policy-\(index + 1)"
            return Fields([
                "id": .text(own), "policy": .text(PageText.clipped(name, bytes: 200)),
                "plots": .list(
                    lines.filter { $0.policy == name }.map { line in
                        HistoryPlot(
                            series: line, runs: report.runs, id: "\(own)-\(line.metric.rawValue)"
                        ).plot.fields
                    }),
            ])
        }
    }
}
