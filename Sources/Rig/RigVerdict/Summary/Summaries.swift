package import RigModel

package enum Summaries {
    /// One summary per policy: the requested ones in order, then those found only in the rows.
    package static func of(
        _ rows: [IterationRow], policies: [String] = [], reach: [Phase] = Phase.allCases
    ) -> [PolicySummary] {
        let groups = Dictionary(grouping: rows, by: \.policy)
        return names(rows, policies: policies).map { name in
            var summary = summary(of: groups[name] ?? [], policy: name)
            summary.strata = Strata.of(groups[name] ?? [], reach: reach)
            return summary
        }
    }

    /// The requested policies, then those found only in the rows, in order of appearance.
    package static func names(_ rows: [IterationRow], policies: [String] = []) -> [String] {
        (policies + rows.map(\.policy)).unique
    }

    static func summary(of rows: [IterationRow], policy: String) -> PolicySummary {
        let conclusive = rows.filter(\.isConclusive)
        var summary = PolicySummary(policy: policy)
        summary.worker = joined(rows.map(\.worker))
        summary.fault = joined(rows.map(\.fault))
        summary.iterations = Set(rows.map(\.iteration)).count
        summary.kills = rows.count
        summary.passed = rows.count { $0.verdict == .pass }
        summary.failed = rows.count { $0.verdict == .fail }
        summary.inconclusive = rows.count - conclusive.count
        summary.violations = rows.count(where: \.isViolation)
        // Workers that were not killed show nothing about kills.
        let killed = rows.filter(\.isConclusiveKill)
        if !killed.isEmpty, killed.allSatisfy(\.isOfDocumentedAmount) {
            summary.documentedLossPercent = Policy(policy)?.documentedLossPercent
        }
        summary.violationRateUCB95 = Binomial.upperBound(
            events: killed.count(where: \.isViolation), trials: killed.count(where: \.isDecided))
        summary.corruptBytes = total(of: \.corruptBytes, in: rows)
        fillLoss(&summary, from: conclusive)
        summary.notJudged = conclusive.count { !$0.notJudged.isEmpty }
        summary.undecided = conclusive.count(where: \.isUndecided)
        for checker in conclusive.flatMap(\.notJudged) {
            summary.notJudgedBy[checker, default: 0] += 1
        }
        summary.keptNothing = killed.count(where: \.keptNothing)
        summary.attempts = total(rows.map(\.attempts))
        summary.killSpread = KillSpread(rows).text
        summary.cost = CostPerMB(killed)
        fillWork(&summary, from: conclusive)
        return summary
    }

    private static func fillLoss(_ summary: inout PolicySummary, from rows: [IterationRow]) {
        summary.receivedBytes = total(of: \.receivedBytes, in: rows)
        summary.recoveredBytes = total(of: \.recoveredBytes, in: rows)
        summary.lostBytes = total(of: \.lostBytes, in: rows)
        let loss = SampleFigure(percentOfReceived: \.lostBytes, in: rows)
        summary.lossPercent = loss.value
        summary.lossPercentInterval = loss.interval()
        summary.allowedLossPercent =
            SampleFigure(percentOfReceived: \.allowedLossBytes, in: rows).value
        let lost = SortedSample(rows.compactMap { $0.lostBytes.map(Double.init) })
        summary.lostBytesMedian = lost.median
        summary.lostBytesP95 = lost.percentile(95)
        summary.lostBytesP99 = lost.percentile(99)
        summary.lostBytesMax = rows.compactMap(\.lostBytes).max()
        summary.boundBytes = rows.compactMap(\.boundBytes).max()
    }

    private static func fillWork(_ summary: inout PolicySummary, from rows: [IterationRow]) {
        summary.refetchedBytes = total(of: \.refetchedBytes, in: rows)
        let commits = SortedSample(rows.compactMap { $0.commits.map(Double.init) })
        summary.commitsMean = commits.mean
        let counted = rows.filter { $0.commits != nil && $0.acknowledgedBytes != nil }
        let commitCount = total(counted.compactMap(\.commits))
        if commitCount > 0 {
            let acknowledged = total(counted.compactMap(\.acknowledgedBytes))
            summary.commitBytesMean = Double(acknowledged) / Double(commitCount)
        }
        let recovery = SortedSample(rows.compactMap(\.recoverySeconds))
        summary.recoverySecondsMedian = recovery.median
        summary.recoverySecondsP99 = recovery.percentile(99)
    }

    /// The sum of a figure; nil when there are rows and none knows it.
    static func total(
        of figure: (IterationRow) -> Int64?, in rows: [IterationRow]
    ) -> Int64? {
        let known = rows.compactMap(figure)
        return known.isEmpty && !rows.isEmpty ? nil : total(known)
    }

    /// The sum; saturates on overflow.
    static func total<Number: FixedWidthInteger>(_ values: [Number]) -> Number {
        values.reduce(0) { sum, value in
            let (next, overflow) = sum.addingReportingOverflow(value)
            return overflow ? (value < 0 ? .min : .max) : next
        }
    }

    private static func joined(_ names: [String]) -> String {
        Set(names).sorted().joined(separator: "|")
    }
}

extension IterationRow {
    /// A kill of one long request at a documented amount: of others, the 3-5 % say nothing.
    fileprivate var isOfDocumentedAmount: Bool {
        guard workload == Workload.download.rawValue, kill == 1, let received = receivedBytes else {
            return false
        }
        return [8 << 20, 10 << 20].contains { abs(received - $0) <= 512 << 10 }
    }
}

extension SampleFigure {
    /// Bytes in percent of the received ones, over the rows in which both are known (B4).
    init(percentOfReceived bytes: (IterationRow) -> Int64?, in rows: [IterationRow]) {
        let known = rows.compactMap { row -> (part: Double, received: Double)? in
            guard let part = bytes(row), let received = row.receivedBytes else { return nil }
            return (100 * Double(part), Double(received))
        }
        self.init(.ratio, of: known.map(\.part), over: known.map(\.received))
    }
}
