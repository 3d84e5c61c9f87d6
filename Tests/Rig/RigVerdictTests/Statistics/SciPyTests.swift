import RigModel
import RigVerdict
import Testing

/// Every figure beside SciPy's or NumPy's, to 1e-9; the values, and the script that made them, are
/// in the folder SciPy.
@Suite struct SciPyTests {
    @Test func boundsOfRates() throws {
        try SciPyTable.compare("clopper-pearson", rows: 600) { row in
            let (events, trials) = (try row.whole("events"), try row.whole("trials"))
            let confidence = try row.number("confidence")
            let upper = Binomial.upperBound(events: events, trials: trials, confidence: confidence)
            let interval = Binomial.interval(events: events, trials: trials, confidence: confidence)
            return [
                (upper, try row.number("upper")), (interval?.low, try row.number("low")),
                (interval?.high, try row.number("high")),
            ]
        }
    }

    @Test func incompleteBeta() throws {
        try SciPyTable.compare("incomplete-beta", rows: 1_500) { row in
            let value = IncompleteBeta.regularised(
                try row.number("x"), a: try row.number("a"), b: try row.number("b"))
            return [(value, try row.number("value"))]
        }
    }

    @Test func inverseBeta() throws {
        try SciPyTable.compare("inverse-beta", rows: 900) { row in
            let x = IncompleteBeta.inverse(
                try row.number("value"), a: try row.number("a"), b: try row.number("b"))
            return [(x, try row.number("x"))]
        }
    }

    @Test func binomialCumulative() throws {
        try SciPyTable.compare("binomial-cumulative", rows: 350) { row in
            let value = Binomial.cumulative(
                try row.whole("events"), of: try row.whole("trials"), rate: try row.number("rate"))
            return [(value, try row.number("value"))]
        }
    }

    @Test func trialsNeeded() throws {
        try SciPyTable.compare("trials-needed", rows: 39) { row in
            let trials = Binomial.trialsNeeded(
                toBoundBelow: try row.number("rate"), confidence: try row.number("confidence"))
            return [(trials.map(Double.init), try row.number("trials"))]
        }
    }

    @Test func ranksAroundPercentiles() throws {
        try SciPyTable.compare("percentile-ranks", rows: 60) { row in
            // The sample 1, 2, 3 … equals its own ranks.
            let sample = SortedSample((1...(try row.whole("count"))).map(Double.init))
            let interval = sample.percentileInterval(try row.whole("percent"))
            return [
                (interval?.low ?? 0, try row.number("low")),
                (interval?.high ?? 0, try row.number("high")),
            ]
        }
    }

    @Test func bootstrapIntervals() throws {
        try SciPyTable.compare("bootstrap", rows: 5) { row in
            let count = try row.whole("count")
            let seed = try #require(UInt64(try row.field("seed")))
            let lost = Self.lost(count)
            let received = (1...count).map { Double($0 * 104_729 % 10_485_760 + 1) }
            let ratio = Bootstrap.interval(
                of: SampleFigure(.ratio, of: lost, over: received), seed: seed)
            let mean = Bootstrap.interval(of: SampleFigure(.mean, of: lost), seed: seed)
            return [
                (ratio?.low, try row.number("ratio_low")),
                (ratio?.high, try row.number("ratio_high")),
                (mean?.low, try row.number("mean_low")),
                (mean?.high, try row.number("mean_high")),
            ]
        }
    }

    @Test func samples() throws {
        try SciPyTable.compare("samples", rows: 12) { row in
            let sample = SortedSample(Self.lost(try row.whole("count")).map { $0 / 3 })
            return [
                (sample.mean, try row.number("mean")), (sample.median, try row.number("median")),
                (sample.percentile(90), try row.number("p90")),
                (sample.percentile(95), try row.number("p95")),
                (sample.percentile(99), try row.number("p99")),
            ]
        }
    }

    // MARK: What no table has

    @Test func withoutTrialsNothingIsKnown() {
        #expect(Binomial.upperBound(events: 0, trials: 0) == nil)
        #expect(Binomial.interval(events: 0, trials: 0) == nil)
        #expect(Binomial.upperBound(events: 2, trials: 1) == nil)
        #expect(Binomial.upperBound(events: -1, trials: 1) == nil)
    }

    @Test(arguments: [(0, nil), (-0.1, nil), (1e-300, nil), (1, 1)] as [(Double, Int?)])
    func someRatesNoRunCanBoundAndOneBoundsItself(rate: Double, trials: Int?) {
        #expect(Binomial.trialsNeeded(toBoundBelow: rate) == trials)
    }

    @Test func theSeedDecides() {
        let mean = SampleFigure(.mean, of: Self.lost(100))
        let once = Bootstrap.interval(of: mean)
        #expect(once == Bootstrap.interval(of: mean))
        #expect(once != Bootstrap.interval(of: mean, seed: 1))
    }

    @Test func rowsThatAreAllAlikeLeaveNoDoubt() {
        let interval = SampleFigure(.ratio, of: [1, 1, 1], over: [4, 4, 4]).interval()
        #expect(interval == ConfidenceInterval(low: 0.25, high: 0.25))
    }

    @Test func withoutRowsNothingIsKnown() {
        #expect(SampleFigure(.mean, of: []).interval() == nil)
        #expect(SampleFigure(.ratio, of: [1], over: [0]).interval() == nil)
    }

    @Test func anEmptySampleKnowsNothing() {
        let sample = SortedSample([Double]())
        #expect(sample.min == nil && sample.max == nil && sample.mean == nil)
        #expect(sample.median == nil)
        #expect(sample.percentile(50) == nil)
        #expect(sample.percentileInterval(50) == nil)
    }

    @Test func whatIsNoMeasurementIsLeftOut() {
        let sample = SortedSample([Double.nan, 2, .infinity, 1])
        #expect(sample.values == [1, 2] && sample.min == 1 && sample.max == 2)
    }

    /// Tests the comparison: a tenth digit may differ, a ninth may not.
    @Test(arguments: [(1.0, 1.1e-9), (1e-7, 1.1e-16), (0, 1e-12), (250_000, 0.000_3)])
    func aWrongDigitIsSeen(value: Double, error: Double) {
        #expect(SciPyTable.differs(value + error, value))
        #expect(SciPyTable.differs(value - error, value))
        #expect(!SciPyTable.differs(value, value))
        #expect(SciPyTable.differs(.nan, value))
        #expect(SciPyTable.differs(nil, value))
    }

    private static func lost(_ count: Int) -> [Double] {
        (1...count).map { Double($0 * 7_919 % 524_288) }
    }
}
