package import RigModel

/// Turns the rows of a merged run into one summary per machine.
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
            return summary(
                of: parts.flatMap { rowsOfRun[$0.runID] ?? [] }, host: name, parts: parts.count)
        }
    }

    private static func summary(of rows: [IterationRow], host: String?, parts: Int) -> HostSummary {
        let conclusive = rows.filter(\.isConclusive)
        return HostSummary(
            host: host, parts: parts, rows: rows.count, inconclusive: rows.count - conclusive.count,
            violations: rows.count(where: \.isViolation),
            lossPercent: LossRatio(conclusive).percent,
            recoverySecondsMedian: SortedSample(conclusive.compactMap(\.recoverySeconds)).median)
    }
}
