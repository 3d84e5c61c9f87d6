package import RigModel

extension HistoryReport {
    /// A fifth of that of a comparison, because a history is looked at again after every run.
    package static let level = RunComparison.level / 5

    /// The lines of the `most` newest runs, with their changes; the level is divided among all
    /// lines (Bonferroni).
    ///
    /// Times of two machines are no levels of one program: each machine has a line of its own. They
    /// have to change by more than ``Tolerances/usualDrift``, as in `rig compare`.
    package init(of runs: [HistoryRun], newest most: Int) {
        let sorted = runs.sorted { ($0.startedAt, $0.identity) < ($1.startedAt, $1.identity) }
        let shown = Array(sorted.suffix(most))
        var lines = Self.lines(of: shown)
        // A line that never moves, or is too short, cannot be marked, and takes nothing from the others.
        let moving = lines.count {
            $0.points.count >= 2 * ChangePoints.least && Set($0.points.map(\.value)).count > 1
        }
        let level = Self.level / Double(max(1, moving))
        for index in lines.indices {
            lines[index].changes = Self.changes(lines[index], in: shown, level: level)
        }
        self.init(runs: shown, total: runs.count, series: lines)
    }

    private static func lines(of runs: [HistoryRun]) -> [HistorySeries] {
        let all = Dictionary(grouping: runs.indices, by: { runs[$0].job })
        return runs.map(\.job).unique.flatMap { job -> [HistorySeries] in
            let own = all[job] ?? []
            let policies = own.flatMap { runs[$0].policies.map(\.policy) }.unique
            return policies.flatMap { policy -> [HistorySeries] in
                HistoryMetric.allCases.flatMap { metric -> [HistorySeries] in
                    let points = own.enumerated().flatMap { place, run -> [HistoryPoint] in
                        runs[run].policies.filter { $0.policy == policy }
                            .compactMap { metric.value(of: $0) }
                            .map { HistoryPoint(place: place + 1, run: run, value: $0) }
                    }
                    func machine(_ point: HistoryPoint) -> String? {
                        metric.isOfTime ? runs[point.run].machine : nil
                    }
                    let machines = points.map(machine).unique
                    return machines.map { one -> HistorySeries in
                        HistorySeries(
                            job: job, policy: policy, metric: metric,
                            machine: machines.count > 1 ? one : nil,
                            points: points.filter { machine($0) == one })
                    }
                }
            }
        }
    }

    private static func changes(
        _ line: HistorySeries, in runs: [HistoryRun], level: Double
    ) -> [HistoryChange] {
        let values = line.points.map(\.value)
        let middle: (SortedSample) -> Double? = line.metric.isOfTime ? \.median : \.mean
        let found = ChangePoints.find(
            values, level: level, drift: line.metric.isOfTime ? Tolerances.usualDrift : 0,
            middle: middle)
        let ends = [0] + found.map(\.index) + [values.count]
        return found.enumerated().compactMap { index, change -> HistoryChange? in
            let before = SortedSample(values[ends[index]..<change.index])
            let after = SortedSample(values[change.index..<ends[index + 2]])
            guard let first = middle(before), let second = middle(after) else { return nil }
            let (run, earlier) = (
                runs[line.points[change.index].run], runs[line.points[change.index - 1].run]
            )
            return HistoryChange(
                point: change.index, before: first, after: second, pValue: change.pValue,
                company: company(run, after: earlier))
        }
    }

    private static func company(_ run: HistoryRun, after earlier: HistoryRun) -> [String] {
        var company: [String] = []
        if run.machine != earlier.machine { company.append("machine: \(run.machine)") }
        if run.judgedBy != earlier.judgedBy { company.append("rig: \(run.judgedBy)") }
        return company
    }
}

extension HistoryFigures {
    package static func of(_ rows: [IterationRow], policies: [String]) -> [HistoryFigures] {
        Summaries.of(rows, policies: policies).map { summary in
            HistoryFigures(
                policy: summary.policy, rows: summary.kills, leftOut: summary.inconclusive,
                violations: summary.violations, decided: summary.conclusive - summary.undecided,
                lossPercent: summary.lossPercent, lostBytesMax: summary.lostBytesMax,
                recoverySecondsMedian: summary.recoverySecondsMedian)
        }
    }
}
