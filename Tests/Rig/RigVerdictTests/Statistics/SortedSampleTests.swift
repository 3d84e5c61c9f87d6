import RigModel
import RigVerdict
import Testing

@Suite struct SortedSampleTests {
    // python3 -c "import numpy as np; v=[float(i*i) for i in range(1,N+1)]; print(np.median(v),
    //   [np.percentile(v,p,method='inverted_cdf') for p in (90,95,99)], np.mean(v))"
    @Test(arguments: [
        (1, [1.0, 1, 1, 1, 1]), (2, [2.5, 4, 4, 4, 2.5]), (5, [9.0, 25, 25, 25, 11]),
        (10, [30.5, 81, 100, 100, 38.5]), (100, [2_550.5, 8_100, 9_025, 9_801, 3_383.5]),
        (101, [2_601.0, 8_281, 9_216, 10_000, 3_451]),
    ])
    func agreesWithNumPy(count: Int, expected: [Double]) {
        let sample = SortedSample((1...count).reversed().map { Double($0 * $0) })
        #expect(
            [
                sample.median, sample.percentile(90), sample.percentile(95), sample.percentile(99),
                sample.mean,
            ] == expected)
        #expect(sample.min == 1)
        #expect(sample.max == Double(count * count))
    }

    @Test func anEmptySampleKnowsNothing() {
        let sample = SortedSample([Double]())
        #expect(sample.min == nil && sample.max == nil && sample.mean == nil)
        #expect(sample.median == nil)
        #expect(sample.percentile(50) == nil)
        #expect(sample.percentileInterval(50) == nil)
    }

    @Test func whatIsNoMeasurementIsLeftOut() {
        #expect(SortedSample([Double.nan, 2, .infinity, 1]).values == [1, 2])
    }

    // Ranks from scipy.stats.binom (SciPy 1.17.1): the last l with cdf(l-1, n, q) <= 0.025, the
    // first u with 1 - cdf(u-1, n, q) <= 0.025; -1 if there is none.
    @Test(arguments: [
        (1, 50, -1, -1), (1, 99, 1, -1), (5, 50, -1, -1), (6, 50, 1, 6), (6, 95, 4, -1),
        (9, 50, 2, 8), (25, 90, 19, -1), (100, 50, 40, 61), (100, 90, 84, 96), (100, 95, 90, 100),
        (100, 99, 97, -1), (367, 99, 359, -1), (368, 99, 360, 368), (1_000, 50, 469, 532),
        (1_000, 95, 936, 964), (1_000, 99, 983, 997),
    ])
    func intervalsAreOrderStatistics(count: Int, percent: Int, low: Int, high: Int) {
        let interval = SortedSample((1...count).map(Double.init)).percentileInterval(percent)
        #expect(interval?.low == (low < 0 ? nil : Double(low)))
        #expect(interval?.high == (high < 0 ? nil : Double(high)))
    }
}
