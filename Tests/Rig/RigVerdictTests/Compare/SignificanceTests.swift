import RigModel
import RigVerdict
import Testing

/// A comparison finds planted differences, and no others.
@Suite struct SignificanceTests {
    private static func compare(
        _ base: [IterationRow], _ other: [IterationRow]
    ) throws -> RunComparison {
        // Verdicts depend only on the ranks, so the intervals may be rough.
        try RunComparison(
            of: [
                ComparableRun(name: "a", rows: base, facts: nil),
                ComparableRun(name: "b", rows: other, facts: nil),
            ], resamples: 40)
    }

    private static func marked(_ comparison: RunComparison) -> [ComparedMetric] {
        comparison.pairs.flatMap(\.metrics)
            .filter { [.better, .worse, .differs].contains($0.verdict) }.map(\.metric)
    }

    /// In at most 5 % of 200 pairs of equal runs, of one plan or not, a metric is marked.
    @Test(arguments: [(true, 20), (true, 60), (false, 20), (false, 60)])
    func equalRunsShowNoDifference(isPaired: Bool, rows: Int) throws {
        var runs = EqualRuns(seed: 11)
        var falseAlarms: [[ComparedMetric]] = []
        for index in 0..<200 {
            let plan = UInt64(index) &* 1_000_003
            let comparison = try Self.compare(
                runs.run(rows, plan: plan), runs.run(rows, plan: isPaired ? plan : ~plan))
            #expect(comparison.pairs[0].isPaired == isPaired)
            let found = Self.marked(comparison)
            if !found.isEmpty { falseAlarms.append(found) }
        }
        #expect(falseAlarms.count <= 10, "\(falseAlarms)")
    }

    /// The planted difference: 10 % more refetched bytes, in 100 rows of one plan.
    @Test func aTenthMoreRefetchedBytesIsFound() throws {
        var runs = EqualRuns(seed: 12)
        for plan in 1...20 {
            let comparison = try Self.compare(
                runs.run(100, plan: UInt64(plan)),
                runs.run(100, plan: UInt64(plan), change: .init(refetchedFactor: 1.1)))
            let found = try #require(
                comparison.pairs[0].metrics.first { $0.metric == .refetchedBytes })
            #expect(found.verdict == .worse)
            #expect(abs(try #require(found.changePercent) - 10) < 2)
            #expect(try #require(found.interval?.low) > 0)
            #expect(Self.marked(comparison) == [.refetchedBytes])
        }
    }

    /// Without pairs the spread of the plan hides 10 %, but not over 1,000 rows.
    @Test func withoutPairsItTakesMoreRows() throws {
        var runs = EqualRuns(seed: 13)
        let comparison = try Self.compare(
            runs.run(1_500, plan: 1), runs.run(1_500, plan: 2, change: .init(refetchedFactor: 1.1)))
        #expect(!comparison.pairs[0].isPaired)
        #expect(Self.marked(comparison) == [.refetchedBytes])
    }

    /// A factor of 1.5 must be the worker; a tenth may be the machine.
    @Test(arguments: [(1.5, true), (1.05, false)])
    func timesCountBeyondTheDriftOfMachines(factor: Double, isFound: Bool) throws {
        var runs = EqualRuns(seed: 14)
        let comparison = try Self.compare(
            runs.run(200, plan: 1, drift: 0),
            runs.run(200, plan: 1, drift: 0, change: .init(timeFactor: factor)))
        let recovery = try #require(
            comparison.pairs[0].metrics.first { $0.metric == .recoverySeconds })
        #expect(recovery.drift >= 0.1)
        #expect(recovery.verdict == (isFound ? .worse : .same))
    }

    /// A machine that was twice as slow for part of a run shows that within the run.
    @Test func driftWithinARunIsAllowedForBetweenRuns() throws {
        var runs = EqualRuns(seed: 15)
        var slow = runs.run(200, plan: 1)
        for index in slow.indices where index < 100 {
            slow[index].recoverySeconds = slow[index].recoverySeconds.map { $0 * 2 }
        }
        let comparison = try Self.compare(runs.run(200, plan: 1), slow)
        let recovery = try #require(
            comparison.pairs[0].metrics.first { $0.metric == .recoverySeconds })
        #expect(recovery.drift > 0.3)
        #expect(recovery.verdict == .same)
    }

    /// Within one run the policies alternate, so a tenth is a difference.
    @Test func withinARunTheMachineIsTheSameForAll() throws {
        var runs = EqualRuns(seed: 16)
        let base = runs.run(200, plan: 1, drift: 0)
        let other = runs.run(200, plan: 1, drift: 0, change: .init(timeFactor: 1.1)).map { row in
            row.with { $0.policy = "128KB" }
        }
        let comparison = try RunComparison(
            of: [ComparableRun(name: "a", rows: base + other, facts: nil)], resamples: 40)
        let recovery = try #require(
            comparison.pairs[0].metrics.first { $0.metric == .recoverySeconds })
        #expect(recovery.drift == 0 && recovery.verdict == .worse)
    }
}
