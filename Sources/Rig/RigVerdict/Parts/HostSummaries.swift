package import RigModel

package enum HostSummaries {
    /// One summary per machine that ran a part, sorted by name; an unknown one comes last.
    package static func of(_ rows: [IterationRow], parts: [MergedPart]) -> [HostSummary] {
        let runs = Dictionary(grouping: parts, by: \.host)
        let rowsOfRun = Dictionary(grouping: rows, by: \.runID)
        let names = runs.keys.sorted { first, second in
            guard let first else { return false }
            return second.map { first < $0 } ?? true
        }
        return names.map { name in
            let parts = runs[name] ?? []
            let summary = Summaries.summary(
                of: parts.flatMap { rowsOfRun[$0.runID] ?? [] }, policy: "")
            return HostSummary(
                host: name, parts: parts.count, rows: summary.kills,
                inconclusive: summary.inconclusive, violations: summary.violations,
                lossPercent: summary.lossPercent,
                recoverySecondsMedian: summary.recoverySecondsMedian)
        }
    }
}
