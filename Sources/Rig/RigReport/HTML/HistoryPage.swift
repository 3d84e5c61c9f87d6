package import RigModel

/// The page of `rig history page`: the figures of runs over time, and where they change.
package enum HistoryPage {
    package static func text(_ report: HistoryReport) -> String {
        let changes = HistoryTables.changes(report)
        let headline = HistoryTables.headline(report)
        return PageTemplates.render(
            Fields([
                "title": "history: \(headline)", "headline": headline, "span": span(report),
                "hasChanges": !changes.isEmpty,
                "changes": HistoryTables.changeTable(report).fields, "jobs": jobs(report),
                "runs": HistoryTables.runTable(report).fields,
            ]), with: "history")
    }

    private static func span(_ report: HistoryReport) -> String {
        guard let first = report.runs.first, let last = report.runs.last else { return "" }
        return "\(HistoryTables.time(first.startedAt)) to \(HistoryTables.time(last.startedAt))"
    }

    private static func jobs(_ report: HistoryReport) -> [Fields] {
        let jobs = report.series.map(\.job).unique
        // Facts that do not tell the jobs apart.
        var shared = Set(jobs.count > 1 ? jobs[0].facts : [])
        for job in jobs.dropFirst() { shared.formIntersection(job.facts) }
        return jobs.enumerated().map { index, job in
            var facts = PageFacts()
            for fact in job.facts where !fact.value.isEmpty && !shared.contains(fact) {
                facts.add(fact.name.prefix(1).uppercased() + fact.name.dropFirst(), fact.value)
            }
            let lines = report.series.filter { $0.job == job }
            let id = "job-\(index + 1)"
            let policies = lines.map(\.policy).unique.enumerated().map { place, name in
                let own = lines.filter { $0.policy == name }
                return policy(name, own, report, id: "\(id)-policy-\(place + 1)")
            }
            return Fields([
                "id": id, "job": PageText.clipped(job.title, bytes: 300), "facts": facts.list,
                "policies": policies,
            ])
        }
    }

    private static func policy(
        _ name: String, _ lines: [HistorySeries], _ report: HistoryReport, id: String
    ) -> Fields {
        let plots = lines.enumerated().map { place, line -> Fields in
            let name = line.metric.rawValue + (line.machine == nil ? "" : "-\(place + 1)")
            return HistoryPlot(series: line, runs: report.runs, id: "\(id)-\(name)").plot.fields
        }
        return Fields([
            "id": id, "policy": PageText.clipped(name, bytes: 200), "plots": plots,
        ])
    }
}
