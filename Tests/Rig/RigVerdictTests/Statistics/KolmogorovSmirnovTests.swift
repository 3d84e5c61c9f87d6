import Foundation
import RigVerdict
import Testing

@Suite struct KolmogorovSmirnovTests {
    // scipy.stats.kstest(v, 'uniform', method='exact'), SciPy 1.17.1; for the last sample, where
    // SciPy takes an approximation, 1 - scipy.stats._ksstats._kolmogn_DMTW(1000, statistic)
    static let samples: [(sample: [Double], statistic: Double, pValue: Double)] = [
        ([0.5], 0.5, 1),
        ([0.1, 0.2, 0.3, 0.4, 0.9], 0.4, 0.3087999999999995),
        (
            (1...100).map { (Double($0) * 0.6180339887498949).truncatingRemainder(dividingBy: 1) },
            0.014175279993273726, 1
        ),
        ((1...100).map { pow(Double($0) / 100, 2) }, 0.25, 5.408871776434847e-06),
        ((1...200).map { pow(Double($0) / 200, 1.1) }, 0.035049351653053507, 0.9594156851773908),
        (
            (1...1_000).map { pow(Double($0) / 1_000, 1.05) }, 0.01794711742193611,
            0.8982420126548417
        ),
    ]

    @Test(arguments: samples.indices)
    func agreesWithSciPy(index: Int) throws {
        let (sample, statistic, pValue) = Self.samples[index]
        let test = try #require(KolmogorovSmirnov(sample.reversed(), over: 0...1))
        #expect(abs(test.statistic - statistic) < 1e-12)
        #expect(abs(test.pValue - pValue) <= 1e-9 * pValue)
    }

    @Test func theIntervalIsTheOneAskedFor() throws {
        let wide = try #require(KolmogorovSmirnov([110, 120, 130, 140, 190], over: 100...200))
        #expect(abs(wide.statistic - 0.4) < 1e-12)
    }

    @Test func whatLiesOutsideIsNotUniform() throws {
        let outside = try #require(
            KolmogorovSmirnov(Array(repeating: 2.0, count: 50), over: 0...1))
        #expect(outside.statistic == 1)
        #expect(outside.pValue < 1e-9)
    }

    @Test func nothingCanBeSaidOfNothing() {
        #expect(KolmogorovSmirnov([Double](), over: 0...1) == nil)
        #expect(KolmogorovSmirnov([1.0], over: 1...1) == nil)
    }
}
