import RigModel
import RigVerdict
import Testing

/// Comparing runs: which rows are paired, which are left out, and what is reported.
@Suite struct RunComparisonTests {
    /// This many rows of one plan; `change` gets the row and its index.
    private static func rows(
        _ count: Int = 40, _ policy: String = "512KB", seed: UInt64 = 0,
        change: (inout IterationRow, Int) -> Void = { _, _ in }
    ) -> [IterationRow] {
        (1...count).map { index in
            makeRow(
                policy, iteration: index, lost: Int64(index * 7_919 % 524_288), received: 3_000_000
            ) { row in
                row.seed = seed &+ UInt64(index)
                row.planned = "\((seed &+ UInt64(index)) &* 7_919 % 9_999_999)"
                row.killSeconds = 0.25 + Double(index % 7) / 100
                row.refetchedBytes = 7_000_000 + Int64(index * 104_729 % 524_288)
                row.recoverySeconds = 0.02 + Double(index * 13 % 17) / 10_000
                row.resumeSeconds = 0.03 + Double(index * 11 % 17) / 10_000
                change(&row, index)
            }
        }
    }

    private static func compare(
        _ runs: [IterationRow]..., facts: [[ComparableRun.Fact]?] = []
    ) throws -> RunComparison {
        try RunComparison(
            of: runs.enumerated().map { index, rows in
                ComparableRun(
                    name: ["old", "new", "third"][index], rows: rows,
                    facts: index < facts.count ? facts[index] : [])
            }, resamples: 200)
    }

    private static func metric(
        _ metric: ComparedMetric, _ comparison: RunComparison, pair: Int = 0
    ) throws -> MetricComparison {
        try #require(comparison.pairs[pair].metrics.first { $0.metric == metric })
    }

    // MARK: pairing

    @Test func rowsOfOnePlanArePairs() throws {
        let pair = try Self.compare(Self.rows(), Self.rows()).pairs[0]
        #expect(pair.isPaired)
        #expect(pair.pairs == 40 && pair.baseLeftOut == 0)
    }

    @Test(arguments: ["seed", "planned", "trigger"])
    func oneRowThatWasPlannedOtherwiseMakesThemNoPairs(column: String) throws {
        let other = Self.rows { row, index in
            guard index == 17 else { return }
            switch column {
            case "seed": row.seed += 1
            case "planned": row.planned += "0"
            default: row.trigger = "time"
            }
        }
        let pair = try Self.compare(Self.rows(), other).pairs[0]
        #expect(!pair.isPaired)
        #expect(pair.pairs == nil)
    }

    @Test func aLongerRunOfTheSameSeedIsPairedAsFarAsTheShorterGoes() throws {
        let pair = try Self.compare(Self.rows(30), Self.rows(40)).pairs[0]
        #expect(pair.isPaired)
        #expect(pair.pairs == 30 && pair.baseLeftOut == 0 && pair.otherLeftOut == 10)
    }

    @Test func runsWithoutACommonIterationAreNoPairs() throws {
        let other = Self.rows().map { row in row.with { $0.iteration += 100 } }
        #expect(try !Self.compare(Self.rows(), other).pairs[0].isPaired)
    }

    // MARK: what is left out

    @Test func onlyConclusiveKillsArePairsAndTheOthersAreCounted() throws {
        let base = Self.rows { row, index in if index == 3 { row.verdict = .inconclusive } }
        let other = Self.rows { row, index in
            if index == 4 || index == 5 { row.verdict = .inconclusive }
        }
        let pair = try Self.compare(base, other).pairs[0]
        #expect(pair.pairs == 37 && pair.baseLeftOut == 3 && pair.otherLeftOut == 3)
    }

    @Test func whatARowDoesNotKnowIsNoZero() throws {
        let other = Self.rows { row, index in if index <= 10 { row.recoverySeconds = nil } }
        let comparison = try Self.compare(Self.rows(), other)
        let recovery = try Self.metric(.recoverySeconds, comparison)
        #expect(recovery.baseCount == 30 && recovery.otherCount == 30 && recovery.unknownRows == 20)
        #expect(recovery.difference == 0)
        #expect(try Self.metric(.lostBytes, comparison).baseCount == 40)
    }

    @Test func whatNoRowKnowsIsNotCompared() throws {
        let other = Self.rows { row, _ in row.resumeSeconds = nil }
        let resume = try Self.metric(.resumeSeconds, try Self.compare(Self.rows(), other))
        #expect(resume.verdict == .unknown && resume.other == nil && resume.difference == nil)
        #expect(resume.pValue == nil && resume.needed != nil)
    }

    /// Seven pairs in one direction have p = 0.0156, too much for six tests at 5 %: it is unknown,
    /// and `~` would say that nothing differs.
    @Test func tooFewRowsAreNotNoDifference() throws {
        func change(_ row: inout IterationRow, _ index: Int) {
            row.lostBytes = row.lostBytes.map { $0 + 1_000 + Int64(index) }
            row.refetchedBytes = row.refetchedBytes.map { $0 + 1_000 + Int64(index) }
            row.recoverySeconds = row.recoverySeconds.map { $0 * 2 }
            row.resumeSeconds = row.resumeSeconds.map { $0 * 2 }
            row.killSeconds = row.killSeconds.map { $0 * 2 }
        }
        let few = try Self.compare(Self.rows(7), Self.rows(7, change: change))
        #expect(few.pairs[0].metrics.allSatisfy { $0.verdict == .unknown })
        #expect(few.pairs[0].metrics.allSatisfy { $0.needed == 8 })
        let enough = try Self.compare(Self.rows(8), Self.rows(8, change: change))
        #expect(enough.pairs[0].metrics.allSatisfy { $0.verdict == .worse })
        // Reports use these verdicts to explain why there was no test.
        #expect(try Self.compare(Self.rows(3), Self.rows(3)).tests == 0)
        let unpaired = try Self.compare(Self.rows(3), Self.rows(3, seed: 1_000))
        #expect(unpaired.pairs[0].metrics.allSatisfy { $0.verdict == .unknown })
    }

    // MARK: policies

    @Test func policiesAreComparedByNameAndThoseOfOneRunAreListed() throws {
        let comparison = try Self.compare(
            Self.rows() + Self.rows(40, "256KB"), Self.rows() + Self.rows(40, "1MB"))
        #expect(comparison.pairs.map(\.other.policy) == ["512KB"])
        #expect(comparison.notes.contains { $0.hasPrefix("only old has the policy 256KB") })
        #expect(comparison.notes.contains { $0.hasPrefix("only new has the policy 1MB") })
        #expect(comparison.runs[1].policies.map(\.policy) == ["512KB", "1MB"])
    }

    /// The run that lacks the policy is named, whichever it is.
    @Test func ofThreeRunsTheOneThatLacksAPolicyIsNamed() throws {
        let more = Self.rows() + Self.rows(40, "700KB")
        let notes = try Self.compare(Self.rows(), Self.rows(), more).notes
        #expect(
            notes.contains(
                "third has the policy 700KB, which old has not: it is not compared there"))
        let shared = try Self.compare(more, more, Self.rows()).notes
        #expect(
            shared.filter { $0.contains("700KB") } == [
                "old has the policy 700KB, which third has not: it is not compared there"
            ])
    }

    @Test func oneRunIsComparedByItsPolicies() throws {
        let run =
            Self.rows() + Self.rows(40, "1MB") { row, _ in row.refetchedBytes = 9_000_000 }
            + Self.rows(40, "disabled")
        let comparison = try Self.compare(run)
        #expect(comparison.isWithinRun)
        #expect(comparison.pairs.map(\.other.policy) == ["1MB", "disabled"])
        #expect(comparison.pairs.allSatisfy { $0.isPaired && $0.base.policy == "512KB" })
        #expect(try Self.metric(.refetchedBytes, comparison).verdict == .worse)
        #expect(try Self.metric(.refetchedBytes, comparison, pair: 1).verdict == .same)
    }

    @Test func whatCannotBeComparedIsRefused() throws {
        #expect(refusal { _ = try Self.compare(Self.rows(), Self.rows(4, "1MB")) } != nil)
        #expect(refusal { _ = try Self.compare(Self.rows(), []) } != nil)
        #expect(refusal(.usage) { _ = try Self.compare(Self.rows()) } != nil)
    }

    @Test func threeRunsAreOneFamily() throws {
        let worse = Self.rows { row, index in row.refetchedBytes? += 10_000 + Int64(index) }
        let comparison = try Self.compare(Self.rows(), worse, worse)
        #expect(comparison.pairs.map(\.other.run) == [1, 2])
        // A metric that is equal in every pair, as losses are here, can show nothing, and is not
        // tested.
        #expect(comparison.tests == 6)
        let found = try Self.metric(.refetchedBytes, comparison, pair: 1)
        let p = try #require(found.pValue)
        #expect(abs(try #require(found.adjustedPValue) - 6 * p) < 1e-15)
    }

    // MARK: what a reader has to know

    @Test func whatDiffersInKindIsSaid() throws {
        let other = Self.rows { row, _ in
            row.worker = "wget"
            row.fault = "power-cut"
        }
        let facts = [[ComparableRun.Fact(name: "video length", value: "1")], nil]
        let mixed = try Self.compare(Self.rows(), other, facts: facts)
        #expect(mixed.notes.contains("differs: worker downloader / wget"))
        #expect(mixed.notes.contains("differs: fault sigkill / power-cut"))
        #expect(mixed.notes.contains { $0.hasPrefix("no manifest beside new") })
        #expect(!mixed.notes.contains { $0.contains("trigger") })
        let known = [facts[0], [ComparableRun.Fact(name: "video length", value: "2")]]
        #expect(
            try Self.compare(Self.rows(), Self.rows(), facts: known).notes == [
                "differs: video length 1 / 2"
            ])
    }

    /// A `~` in every row must not hide that a row breaks promises.
    @Test func brokenPromisesAreSaidFirst() throws {
        let other = Self.rows { row, index in
            guard index == 9 else { return }
            row.verdict = .fail
            row.checkers = [.bound]
            row.reason = "bound: too much"
            row.corruptBytes = 5
        }
        let comparison = try Self.compare(Self.rows(), other)
        #expect(
            Array(comparison.notes.prefix(2)) == [
                "violations differ: 0 in 40 rows of 512KB of old, 1 in 40 of 512KB of new",
                "corrupt bytes differ: 0 of 512KB of old, 5 of 512KB of new",
            ])
        #expect(comparison.runs[1].policies[0].violations == 1)
        #expect(comparison.pairs[0].metrics.allSatisfy { $0.verdict == .same })
    }

    @Test func figuresAreThoseOfTheSummary() throws {
        let run = Self.rows()
        let policy = try Self.compare(run, run).runs[0].policies[0]
        let summary = try #require(Summaries.of(run).first)
        #expect(policy.figure(.lossPercent)?.value == summary.lossPercent)
        #expect(policy.figure(.recoverySeconds)?.value == summary.recoverySecondsMedian)
        #expect(policy.thresholdBytes == 524_288)
        let interval = try #require(policy.figure(.lossPercent)?.interval)
        #expect(interval.contains(try #require(summary.lossPercent)))
    }
}
