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
        typealias Entry = (series: HistorySeries, change: HistoryChange)
        func run(_ entry: Entry) -> HistoryRun {
            report.runs[entry.series.points[entry.change.point].run]
        }
        let text: (Entry, Double) -> JSONValue = { .string($0.series.metric.text($1)) }
        return changes(report).table([
            .text("change") { .string($0.change.isWorse ? "worse" : "better") }
                .toned { $0.change.isWorse ? .bad : .good },
            .text("figure") { .string($0.series.metric.title) },
            .prose("job") { .string($0.series.job.title) }.clipped(300).when(isOfJobs),
            .text("policy") { .string($0.series.policy) }.clipped(80),
            .number("from run") { .string("\($0.series.points[$0.change.point].place)") },
            .text("commit") { .string(commit(run($0))) }.clipped(80),
            .text("started") { .string(time(run($0).startedAt)) }.clipped(80),
            .number("before") { text($0, $0.change.before) },
            .number("since") { text($0, $0.change.after) },
            .number("p") { .string(ProbabilityText.text($0.change.pValue)) },
            .prose("changed with it") {
                .string($0.change.company.isEmpty ? "-" : $0.change.company.joined(separator: "; "))
            }.clipped(300),
        ]).captioned("What has changed, the newest first")
    }

    static func runTable(_ report: HistoryReport, most: Int = 20) -> Table {
        typealias Entry = (run: HistoryRun, figures: HistoryFigures)
        let entries: [Entry] = report.runs.suffix(most).reversed().flatMap { run in
            run.policies.map { (run, $0) }
        }
        let isOfJobs = Set(report.series.map(\.job)).count > 1
        func column(_ metric: HistoryMetric) -> Table.Column<Entry> {
            .number(metric.title) { entry in
                .string(metric.value(of: entry.figures).map(metric.text))
            }
        }
        return entries.table([
            .text("started") { .string(time($0.run.startedAt)) }.clipped(80),
            .text("verdict") { .string($0.run.status.shown.word) }
                .toned { $0.run.status.shown.tone },
            .prose("job") { .string($0.run.job.title) }.clipped(300).when(isOfJobs),
            .text("policy") { .string($0.figures.policy) }.clipped(80),
            .text("commit") { .string(commit($0.run)) }.clipped(80),
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
