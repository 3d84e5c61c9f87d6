import RigModel
import RigVerdict
import Testing

/// What saving costs beside what a kill loses.
@Suite struct CostPerMBTests {
    /// Runs from before the columns existed.
    private static func compareOld() throws -> [MetricComparison] {
        let rows = (1...9).map { makeRow(iteration: $0) }
        let run = ComparableRun(name: "old", rows: rows, facts: nil)
        let comparison = try RunComparison(of: [run, run], resamples: 40)
        return try #require(comparison.pairs.first).metrics
    }

    private func row(
        _ policy: String, iteration: Int, written: Int64?, writes: Int?, received: Int64? = 1 << 20
    ) -> IterationRow {
        makeRow(policy, iteration: iteration) {
            $0.launchBytes = received
            $0.writtenBytes = written
            $0.writes = writes
            $0.commits = 2
            $0.processorSeconds = 0.01
        }
    }

    @Test func eachFigureIsARatioOfSumsOverTheKillsThatKnowIt() {
        let cost = CostPerMB([
            row("512KB", iteration: 1, written: 1_000_000, writes: 100),
            row("512KB", iteration: 2, written: 500_000, writes: 20, received: 2 << 20),
            row("512KB", iteration: 3, written: nil, writes: nil, received: 5 << 20),
            row("512KB", iteration: 4, written: 9_000_000, writes: 9, received: nil),
        ])
        #expect(cost.writtenBytes == 500_000 && cost.writes == 40 && cost.commits == 0.75)
        #expect(cost.processorSeconds == 0.03 / 8)
        #expect(cost.syncs == nil)
        #expect(cost.checkpoints == nil)
    }

    /// A launch that wrote nothing is not one of which nothing is known.
    @Test func nothingIsNotZero() {
        #expect(CostPerMB([]).writes == nil)
        #expect(CostPerMB([row("1MB", iteration: 1, written: 0, writes: 0)]).writes == 0)
        let summaries = Summaries.of([row("1MB", iteration: 1, written: nil, writes: nil)])
        #expect(summaries.map(\.cost.writtenBytes) == [nil])
    }

    @Test func onlyConclusiveKillsCount() throws {
        var left = row("512KB", iteration: 2, written: 9_000_000, writes: 900)
        left.verdict = .inconclusive
        left.reason = "too early"
        left.checkers = []
        let rows = [row("512KB", iteration: 1, written: 1000, writes: 1), left]
        #expect(try #require(Summaries.of(rows).first).cost.writes == 1)
    }

    /// "256 KB: lower risk, higher I/O" as a figure.
    @Test func aSmallerThresholdCostsMore() throws {
        let rows = (1...40).flatMap { number in
            let noise = Int64(number % 7)
            return [
                row("1MB", iteration: number, written: 1_100_000 + noise, writes: 70),
                row("256KB", iteration: number, written: 1_200_000 + noise, writes: 90),
            ]
        }
        let comparison = try RunComparison(
            of: [ComparableRun(name: "a", rows: rows, facts: nil)], resamples: 40)
        let metrics = try #require(comparison.pairs.first).metrics
        for metric in [ComparedMetric.writtenPerMB, .writesPerMB] {
            let found = try #require(metrics.first { $0.metric == metric })
            #expect(found.verdict == .worse, "\(metric)")
        }
        #expect(metrics.first { $0.metric == .processorSecondsPerMB }?.verdict == .same)
        #expect(try Self.compareOld().allSatisfy { !$0.metric.facts.isOfCost })
        let written = try #require(metrics.first { $0.metric == .writtenPerMB })
        #expect(abs(try #require(written.difference) - 100_000) < 1)
    }
}
