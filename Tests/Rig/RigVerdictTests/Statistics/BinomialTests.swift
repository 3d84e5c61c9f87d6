import RigModel
import RigVerdict
import Testing

@Suite struct BinomialTests {
    // scipy.special.betainc(a, b, x), SciPy 1.17.1
    @Test(arguments: [
        (0.1, 0.5, 0.5, 0.20483276469913345), (0.5, 2, 3, 0.6875),
        (0.3, 50, 120, 0.575556705163632), (0.01, 1, 299, 0.9504637433623375),
        (0.97, 1_000, 20, 0.016039570900909645), (0.5, 5_000, 5_000, 0.49999999999999967),
        (0.499, 5_000, 5_100, 0.7864301126247715), (1e-6, 1, 10_000, 0.009950171201084403),
        (0.9, 0.5, 20, 1), (0, 3, 4, 0), (1, 3, 4, 1),
    ])
    func incompleteBetaAgreesWithSciPy(x: Double, a: Double, b: Double, expected: Double) {
        #expect(abs(IncompleteBeta.regularised(x, a: a, b: b) - expected) < 1e-9)
    }

    // scipy.stats.binom.cdf(k, n, p)
    @Test(arguments: [
        (0, 10, 0.3, 0.0282475249), (3, 10, 0.3, 0.6496107184), (9, 10, 0.3, 0.9999940951),
        (450, 1_000, 0.47, 0.10824721178610577), (99, 100, 0.99, 0.6339676587267709),
        (-1, 10, 0.3, 0), (10, 10, 0.3, 1),
    ])
    func cumulativeAgreesWithSciPy(events: Int, trials: Int, rate: Double, expected: Double) {
        #expect(abs(Binomial.cumulative(events, of: trials, rate: rate) - expected) < 1e-9)
    }

    // scipy.stats.beta.ppf(.95, k+1, n-k), beta.ppf(.025, k, n-k+1), beta.ppf(.975, k+1, n-k)
    @Test(arguments: [
        (0, 1, [0.95, 0, 0.975]),
        (0, 100, [0.029513049607039925, 0, 0.03621669264517641]),
        (0, 298, [0.010002432437677691, 0, 0.01230248805901612]),
        (0, 299, [0.009969146792899269, 0, 0.012261595907535044]),
        (1, 100, [0.046559811453538935, 0.00025314603297742064, 0.054459385392080645]),
        (3, 100, [0.07571079374983004, 0.006229971538306395, 0.08517605297428002]),
        (50, 100, [0.5863782853690882, 0.39832112950330095, 0.601678870496699]),
        (99, 100, [0.9994871985837377, 0.9455406146079194, 0.9997468539670226]),
        (100, 100, [1, 0.9637833073548235, 1]),
        (0, 10_000, [0.00029952835977661195, 0, 0.0003688199146187622]),
        (7, 10_000, [0.0013144072195026937, 0.00028148114574279455, 0.0014417323091497692]),
        (5_000, 10_000, [0.5082734955962607, 0.4901513805899805, 0.5098486194100196]),
    ])
    func clopperPearsonAgreesWithSciPy(events: Int, trials: Int, expected: [Double]) throws {
        let upper = try #require(Binomial.upperBound(events: events, trials: trials))
        let interval = try #require(Binomial.interval(events: events, trials: trials))
        let low = try #require(interval.low)
        let high = try #require(interval.high)
        for (value, wanted) in zip([upper, low, high], expected) {
            #expect(abs(value - wanted) < 1e-9)
        }
    }

    @Test func withoutTrialsNothingIsKnown() {
        #expect(Binomial.upperBound(events: 0, trials: 0) == nil)
        #expect(Binomial.interval(events: 0, trials: 0) == nil)
        #expect(Binomial.upperBound(events: 2, trials: 1) == nil)
        #expect(Binomial.upperBound(events: -1, trials: 1) == nil)
    }

    @Test(arguments: [
        (0.01, 299), (0.001, 2_995), (0.0295, 101), (0.02952, 100), (0.05, 59), (0.95, 2),
        (0.96, 1), (1, 1),
    ])
    func trialsNeeded(rate: Double, trials: Int) {
        #expect(Binomial.trialsNeeded(toBoundBelow: rate) == trials)
    }

    @Test(arguments: [0, -0.1, 1e-300])
    func someRatesNoRunCanBound(rate: Double) {
        #expect(Binomial.trialsNeeded(toBoundBelow: rate) == nil)
    }
}
