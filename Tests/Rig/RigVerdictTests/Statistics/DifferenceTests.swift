import RigModel
import RigVerdict
import Testing

/// Statistics of two samples compared with SciPy's values, as in ``SciPyTests``.
@Suite struct DifferenceTests {
    @Test func wilcoxon() throws {
        try SciPyTable.compare("wilcoxon", rows: 75) { row in
            let values = try row.numbers("differences")
            return [
                (WilcoxonSignedRank.test(values).pValue, try row.number("value")),
                (WilcoxonSignedRank.approximateTest(values).pValue, try row.number("approximate")),
            ]
        }
    }

    @Test func mannWhitney() throws {
        try SciPyTable.compare("mann-whitney", rows: 60) { row in
            let test = MannWhitney.test(try row.numbers("first"), try row.numbers("second"))
            return [(test.pValue, try row.number("value"))]
        }
    }

    @Test func holm() throws {
        try SciPyTable.compare("holm", rows: 12) { row in
            Array(zip(Holm.adjusted(try row.numbers("values")), try row.numbers("adjusted")))
        }
    }

    @Test func bootstrapOfDifferences() throws {
        let kinds: [String: SampleFigure.Kind] = [
            "mean": .mean, "median": .median, "p95": .percentile(95), "ratio": .ratio,
        ]
        try SciPyTable.compare("bootstrap-difference", rows: 24) { row in
            let kind = try #require(kinds[try row.field("figure")])
            let base = Self.figure(kind, try row.whole("base"))
            let other = Self.figure(kind, try row.whole("other"), isOther: true)
            let isPaired = try row.field("paired") == "yes"
            let seed = try #require(UInt64(try row.field("seed")))
            let absolute = Bootstrap.interval(
                of: .difference, base: base, other: other, isPaired: isPaired, seed: seed)
            let relative = Bootstrap.interval(
                of: .relative, base: base, other: other, isPaired: isPaired, seed: seed)
            return [
                (absolute?.low, try row.number("low")), (absolute?.high, try row.number("high")),
                (relative?.low, try row.number("relative_low")),
                (relative?.high, try row.number("relative_high")),
            ]
        }
    }

    private static func figure(
        _ kind: SampleFigure.Kind, _ count: Int, isOther: Bool = false
    ) -> SampleFigure {
        let values = (1...count).map { Double($0 * 7_919 % 524_288) }
        let divisors = (1...count).map { Double($0 * 104_729 % 10_485_760 + 1) }
        return SampleFigure(
            kind, of: isOther ? values.reversed().map { $0 * 1.25 + 1 } : values,
            over: kind == .ratio ? divisors : [])
    }

    @Test func directionsAreThoseOfTheSecondSample() {
        #expect(WilcoxonSignedRank.test([1, 2, 3, -0.5]).direction > 0)
        #expect(WilcoxonSignedRank.test([-1, -2, 3, -4]).direction < 0)
        #expect(MannWhitney.test([1, 2], [3, 4]).direction > 0)
        #expect(MannWhitney.test([3, 4, 9], [1, 2, 3]).direction < 0)
    }

    @Test func whatDoesNotDifferShowsNothing() {
        for test in [
            WilcoxonSignedRank.test([0, 0, 0]), WilcoxonSignedRank.test([.nan, 0]),
            WilcoxonSignedRank.test([]), MannWhitney.test([], [1]), MannWhitney.test([2, 2], [2]),
        ] {
            #expect(test.pValue == 1 && test.leastPValue == 1 && test.direction == 0)
        }
    }

    /// Five pairs cannot be significant at 5 %, six can; two samples of four not at 1 %.
    @Test func theLeastPValueSaysWhatCannotBeShown() {
        #expect(WilcoxonSignedRank.leastPValue(pairs: 5) == 0.0625)
        #expect(WilcoxonSignedRank.leastPValue(pairs: 6) == 0.03125)
        #expect(WilcoxonSignedRank.leastPValue(pairs: 60) < 1e-9)
        #expect(abs(MannWhitney.leastPValue(first: 4, second: 4) - 2 / 70.0) < 1e-12)
        #expect(MannWhitney.leastPValue(first: 3, second: 3) > 0.05)
        #expect(MannWhitney.leastPValue(first: 0, second: 3) == 1)
        // Counts only pairs that differ: five of a hundred count as five.
        let few = WilcoxonSignedRank.test([1, 2, 3, 4, 5] + Array(repeating: 0, count: 95))
        #expect(few.leastPValue == 0.0625 && few.pValue == 0.0625)
    }

    @Test func figuresOfSamplesAreThoseOfSortedSamples() {
        for count in [1, 2, 3, 8, 99, 100] {
            let values = (1...count).map { Double($0 * 7_919 % 100) }
            let sorted = SortedSample(values)
            #expect(SampleFigure(.mean, of: values).value == sorted.mean)
            #expect(SampleFigure(.median, of: values).value == sorted.median)
            #expect(SampleFigure(.percentile(90), of: values).value == sorted.percentile(90))
            #expect(SampleFigure(.percentile(99), of: values).value == sorted.percentile(99))
        }
        #expect(SampleFigure(.mean, of: []).value == nil)
        #expect(SampleFigure(.ratio, of: [1], over: [0]).value == nil)
    }

    @Test func oneRowShowsNothingOfHowRowsDiffer() {
        let one = SampleFigure(.mean, of: [3])
        #expect(
            Bootstrap.interval(of: .difference, base: one, other: one, isPaired: true)
                == ConfidenceInterval(low: nil, high: nil))
        let none = SampleFigure(.mean, of: [])
        #expect(Bootstrap.interval(of: .difference, base: none, other: one, isPaired: false) == nil)
    }

    /// A change relative to a base that may be 0 has no upper end; 0 relative to 0 is unknown.
    @Test func noPartOfNothing() throws {
        let base = SampleFigure(.mean, of: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5])
        let other = SampleFigure(.mean, of: Array(repeating: 4, count: 12))
        let interval = try #require(
            Bootstrap.interval(of: .relative, base: base, other: other, isPaired: false))
        #expect(interval.high == nil && interval.low != nil)
        let zeros = SampleFigure(.mean, of: [0, 0, 0])
        #expect(Bootstrap.interval(of: .relative, base: zeros, other: zeros, isPaired: true) == nil)
    }

    /// What pairs share cancels out: paired rows show a difference that their spread would hide.
    @Test func pairsShowMore() throws {
        let base = (1...40).map { Double($0 * 7_919 % 1_000) }
        let first = SampleFigure(.mean, of: base)
        let second = SampleFigure(.mean, of: base.map { $0 + 10 })
        let paired = try #require(
            Bootstrap.interval(of: .difference, base: first, other: second, isPaired: true))
        let unpaired = try #require(
            Bootstrap.interval(of: .difference, base: first, other: second, isPaired: false))
        #expect(abs(try #require(paired.low) - 10) < 1e-9)
        #expect(try #require(unpaired.low) < 0)
    }
}
