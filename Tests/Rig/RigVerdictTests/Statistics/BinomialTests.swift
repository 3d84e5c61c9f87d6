import RigModel
import RigVerdict
import Testing

/// What no table of ``SciPyTests`` has: rates and counts without a figure.
@Suite struct BinomialTests {
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
}
