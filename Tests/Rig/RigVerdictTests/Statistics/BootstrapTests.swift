import RigModel
import RigVerdict
import Testing

@Suite struct BootstrapTests {
    static let lost = (1...100).map { Double($0 * 7_919 % 524_288) }
    static let mean = SampleFigure(.mean, of: lost)
    static let ratio = SampleFigure(
        .ratio, of: lost, over: (1...100).map { Double($0 * 104_729 % 10_485_760 + 1) })

    // scipy.stats.bootstrap((v, w), Σv/Σw, paired=True, method='percentile',
    //   n_resamples=100000): 0.035748 .. 0.048815
    @Test func ratioAgreesWithSciPy() throws {
        let interval = try #require(Self.ratio.interval())
        let low = try #require(interval.low)
        let high = try #require(interval.high)
        #expect(abs(low - 0.035748) < 0.0005)
        #expect(abs(high - 0.048815) < 0.0005)
    }

    // scipy.stats.bootstrap((v,), np.mean, …): 193662 .. 250291
    @Test func meanAgreesWithSciPy() throws {
        let interval = try #require(Self.mean.interval())
        let low = try #require(interval.low)
        let high = try #require(interval.high)
        #expect(abs(low - 193_662) < 2_000)
        #expect(abs(high - 250_291) < 2_000)
    }

    @Test func theSeedDecides() {
        let once = Bootstrap.interval(of: Self.mean)
        #expect(once == Bootstrap.interval(of: Self.mean))
        #expect(once != Bootstrap.interval(of: Self.mean, seed: 1))
    }

    @Test func rowsThatAreAllAlikeLeaveNoDoubt() {
        let interval = SampleFigure(.ratio, of: [1, 1, 1], over: [4, 4, 4]).interval()
        #expect(interval == ConfidenceInterval(low: 0.25, high: 0.25))
    }

    @Test func withoutRowsNothingIsKnown() {
        #expect(SampleFigure(.mean, of: []).interval() == nil)
        #expect(SampleFigure(.ratio, of: [1], over: [0]).interval() == nil)
    }
}
