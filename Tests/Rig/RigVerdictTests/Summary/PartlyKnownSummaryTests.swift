import RigModel
import RigVerdict
import Testing

/// Summaries and comparisons of ten rows of which some do not know a figure.
@Suite struct PartlyKnownSummaryTests {
    /// Ten rows that lost 10, 20, … of 1,000 bytes; `change` gets each.
    private static func rows(
        seed: UInt64 = 0, change: (inout IterationRow) -> Void = { _ in }
    ) -> [IterationRow] {
        (1...10).map { index in
            makeRow(iteration: index, lost: Int64(10 * index)) { row in
                row.seed = seed &+ UInt64(index)
                row.commits = 4
                row.acknowledgedBytes = 800
                row.refetchedBytes = 5_000
                row.recoverySeconds = Double(index) / 100
                row.boundBytes = 300
                change(&row)
            }
        }
    }

    private static func summary(
        change: (inout IterationRow) -> Void = { _ in }
    ) throws -> PolicySummary {
        try #require(Summaries.of(rows(change: change)).first)
    }

    @Test func wholeRowsGiveTheseFigures() throws {
        let summary = try Self.summary()
        #expect([summary.receivedBytes, summary.lostBytes] == [10_000, 550])
        #expect(summary.lossPercent == 5.5 && summary.allowedLossPercent == 30)
        #expect(summary.lostBytesMedian == 55 && summary.commitBytesMean == 200)
    }

    /// The row without its loss takes its received bytes out of the ratio as well.
    @Test func aRowWithoutItsLoss() throws {
        let summary = try Self.summary { row in
            guard row.iteration == 10 else { return }
            (row.lostBytes, row.recoveredBytes, row.lossPercent) = (nil, nil, nil)
            row.notJudged = [.bound]
        }
        #expect(summary.kills == 10 && summary.passed == 10)
        #expect(summary.receivedBytes == 10_000 && summary.lostBytes == 450)
        #expect(summary.recoveredBytes == 8_550 && summary.lossPercent == 5)
        #expect(summary.lostBytesMedian == 50)
        #expect(summary.lostBytesP95 == 90 && summary.lostBytesMax == 90)
        #expect(summary.allowedLossPercent == 30)
        #expect(summary.notJudged == 1 && summary.undecided == 1)
        #expect(summary.notJudgedBy == [.bound: 1])
        // 0 of 9: a row that may hide a violation is no trial.
        let bound = try #require(summary.violationRateUCB95)
        #expect(abs(bound - 0.2831287) < 1e-6)
        let stratum = try #require(summary.strata.first { $0.phase == .receiving })
        #expect(stratum.kills == 10 && stratum.violationRateUCB95 == bound)
    }

    @Test func aRowWithoutWhatItReceived() throws {
        let summary = try Self.summary { row in
            if row.iteration == 10 { (row.receivedBytes, row.lossPercent) = (nil, nil) }
        }
        #expect(summary.receivedBytes == 9_000 && summary.lostBytes == 550)
        #expect(summary.lossPercent == 5 && summary.lostBytesMax == 100)
        #expect(summary.allowedLossPercent == 30)
    }

    @Test func aRowWithoutABound() throws {
        let summary = try Self.summary { row in if row.iteration == 10 { row.boundBytes = nil } }
        #expect(summary.boundBytes == 300 && summary.allowedLossPercent == 30)
        #expect(summary.lossPercent == 5.5)
    }

    /// A commit counts only where it is known how much it saved, and the other way round.
    @Test(arguments: [true, false])
    func aRowWithoutItsCommits(lacksCommits: Bool) throws {
        let summary = try Self.summary { row in
            guard row.iteration == 10 else { return }
            if lacksCommits {
                row.commits = nil
                row.acknowledgedBytes = 100_000
            } else {
                row.commits = 400
                row.acknowledgedBytes = nil
            }
        }
        #expect(summary.commitBytesMean == 200)
        #expect(summary.commitsMean == (lacksCommits ? 4 : 43.6))
    }

    @Test func otherFiguresAreThoseOfTheRowsThatKnowThem() throws {
        let summary = try Self.summary { row in
            guard row.iteration == 10 else { return }
            row.corruptBytes = nil
            row.refetchedBytes = nil
            row.recoverySeconds = nil
            row.phase = nil
        }
        #expect(summary.corruptBytes == 0 && summary.refetchedBytes == 45_000)
        #expect(summary.recoverySecondsMedian == 0.05 && summary.recoverySecondsP99 == 0.09)
        #expect(summary.phasesHit == [.receiving])
        #expect(summary.strata.last?.phase == nil && summary.strata.last?.kills == 1)
    }

    @Test func inconclusiveRowsHaveNoPartInAnyFigure() throws {
        let summary = try Self.summary { row in
            guard row.iteration == 10 else { return }
            row.verdict = .inconclusive
            row.reason = "too early"
            row.commits = 1_000
            row.boundBytes = 9_999
            row.corruptBytes = nil
        }
        #expect([summary.passed, summary.inconclusive] == [9, 1])
        #expect([summary.receivedBytes, summary.lostBytes] == [9_000, 450])
        #expect(summary.lossPercent == 5 && summary.allowedLossPercent == 30)
        #expect(summary.lostBytesMax == 90 && summary.boundBytes == 300)
        #expect(summary.commitsMean == 4 && summary.recoverySecondsP99 == 0.09)
        #expect(summary.corruptBytes == 0)
    }

    // MARK: the order of rows

    /// Rows come in the order in which kills end, which differs from run to run.
    @Test(arguments: 0..<5)
    func noFigureDependsOnTheOrderOfRows(turn: Int) throws {
        let rows = Self.rows { $0.phase = $0.iteration > 7 ? .committing : .receiving }
        let other = turn == 4 ? Array(rows.reversed()) : Array(rows[turn...] + rows[..<turn])
        let (one, two) = (
            try #require(Summaries.of(rows).first), try #require(Summaries.of(other).first)
        )
        #expect(two.lossPercent == one.lossPercent)
        #expect(two.lostBytesMedian == 55 && two.lostBytesP95 == 100 && two.lostBytesMax == 100)
        #expect(two.recoverySecondsMedian == one.recoverySecondsMedian)
        #expect(two.phasesHit == one.phasesHit && two.strata == one.strata)
        #expect(two.killSpread == one.killSpread)
    }

    // MARK: comparisons

    private static func compare(
        _ base: [IterationRow], _ other: [IterationRow], _ metric: ComparedMetric
    ) throws -> MetricComparison {
        let comparison = try RunComparison(
            of: [
                ComparableRun(name: "old", rows: base, facts: []),
                ComparableRun(name: "new", rows: other, facts: []),
            ], resamples: 100)
        return try #require(comparison.pairs[0].metrics.first { $0.metric == metric })
    }

    /// Of ten pairs the third lacks the figure on one side, and the seventh on the other.
    @Test(arguments: [(UInt64(0), 8, 8, 4), (1_000, 9, 9, 2)])
    func onlyRowsThatKnowAFigureAreCompared(
        seed: UInt64, base: Int, other: Int, unknown: Int
    ) throws {
        func rows(_ lacking: Int, _ seed: UInt64) -> [IterationRow] {
            Self.rows(seed: seed) { row in
                guard row.iteration == lacking else { return }
                (row.lostBytes, row.refetchedBytes, row.recoverySeconds) = (nil, nil, nil)
            }
        }
        for metric in [ComparedMetric.lostBytes, .lossPercent, .refetchedBytes, .recoverySeconds] {
            let found = try Self.compare(rows(3, 0), rows(7, seed), metric)
            #expect(found.baseCount == base && found.otherCount == other, "\(metric)")
            #expect(found.unknownRows == unknown)
        }
        let losses = try Self.compare(rows(3, 0), rows(7, seed), .lostBytes)
        // All but 30 and 70, or each side but its own.
        #expect(losses.base == (seed == 0 ? 56.25 : 520.0 / 9))
        #expect(losses.other == (seed == 0 ? 56.25 : 480.0 / 9))
    }

    @Test func theOrderOfTheOtherRunsRowsDoesNotMatter() throws {
        let other = Self.rows { $0.lostBytes = $0.lostBytes.map { $0 + 5 } }
        for metric in [ComparedMetric.lostBytes, .lossPercent, .recoverySeconds] {
            let found = try Self.compare(Self.rows(), other, metric)
            #expect(found == (try Self.compare(Self.rows(), other.reversed(), metric)))
            #expect(found.baseCount == 10)
        }
    }
}
