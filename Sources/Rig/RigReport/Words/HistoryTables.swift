import RigModel

enum HistoryTables {
    /// `1 change in 200 runs`.
    static func headline(_ report: HistoryReport) -> String {
        let runs = Figure.counted(report.runs.count, "run")
        let all =
            report.runs.count < report.total
            ? "the newest \(runs) of \(Figure.count(report.total))" : runs
        guard report.changes > 0 else { return "no change in \(all)" }
        return "\(Figure.counted(report.changes, "change")) in \(all)"
    }

    static func changes(_ report: HistoryReport) -> [(series: HistorySeries, change: HistoryChange)]
    {
        report.series.flatMap { series in series.changes.map { (series, $0) } }
            .sorted { first, second in
                let runs = (first.0.points[first.1.point].run, second.0.points[second.1.point].run)
                return (runs.1, first.0.metric.rawValue) < (runs.0, second.0.metric.rawValue)
            }
    }

    static func changeTable(_ report: HistoryReport) -> Table {
        let isOfJobs = Set(report.series.map(\.job)).count > 1
        let isOfMachines = report.series.contains { $0.machine != nil && !$0.changes.isEmpty }
        typealias Entry = (series: HistorySeries, change: HistoryChange)
        func run(_ entry: Entry) -> HistoryRun {
            report.runs[entry.series.points[entry.change.point].run]
        }
        return changes(report).table([
            .text("change") { $0.change.isWorse ? "worse" : "better" }
                .toned { $0.change.isWorse ? .bad : .good },
            .text("figure") { $0.series.metric.title },
            .prose("job") { $0.series.job.title }.clipped(300).when(isOfJobs),
            .text("policy") { $0.series.policy }.clipped(80),
            .prose("machine") { $0.series.machine ?? "-" }.clipped(300).when(isOfMachines),
            .number("from run") { "\($0.series.points[$0.change.point].place)" },
            .text("commit") { commit(run($0)) }.clipped(80),
            .text("started") { time(run($0).startedAt) }.clipped(80),
            .number("before") { $0.series.metric.text($0.change.before) },
            .number("since") { $0.series.metric.text($0.change.after) },
            .number("p") { ProbabilityText.text($0.change.pValue) },
            .prose("changed with it") {
                $0.change.company.isEmpty ? "-" : $0.change.company.joined(separator: "; ")
            }.clipped(300),
        ]).captioned("What has changed, the newest first")
    }

    static func runTable(_ report: HistoryReport) -> Table {
        typealias Entry = (run: HistoryRun, figures: HistoryFigures)
        let entries: [Entry] = report.runs.suffix(20).reversed().flatMap { run in
            run.policies.map { (run, $0) }
        }
        let isOfJobs = Set(report.series.map(\.job)).count > 1
        func column(_ metric: HistoryMetric) -> Table.Column<Entry> {
            .number(metric.title) { metric.value(of: $0.figures).map(metric.text) }
        }
        return entries.table([
            .text("started") { time($0.run.startedAt) }.clipped(80),
            .text("verdict") { $0.run.status.shown.word }.toned { $0.run.status.shown.tone },
            .prose("job") { $0.run.job.title }.clipped(300).when(isOfJobs),
            .text("policy") { $0.figures.policy }.clipped(80),
            .text("commit") { commit($0.run) }.clipped(80),
            .count("kills") { $0.figures.rows }, column(.lossPercent),
            .size("worst loss") { $0.figures.lostBytesMax },
            column(.violationPercent), column(.recoverySeconds), column(.leftOutPercent),
        ]).captioned("The newest runs")
    }

    /// The commit as people name it: its first ten digits, or the name that was given.
    static func commit(_ run: HistoryRun) -> String {
        guard let commit = run.commit else { return Figure.notKnown }
        let isDigest = commit.count == 40 && commit.allSatisfy(\.isHexDigit)
        return isDigest ? String(commit.prefix(10)) : commit
    }

    /// `2026-11-24 10:41` of `2026-11-24T10:41:30Z`.
    static func time(_ stamp: String) -> String {
        String(stamp.prefix(16)).replacing("T", with: " ")
    }
}
