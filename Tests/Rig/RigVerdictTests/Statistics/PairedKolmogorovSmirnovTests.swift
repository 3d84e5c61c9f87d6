import RigVerdict
import Testing

@Suite struct PairedKolmogorovSmirnovTests {
    private static func golden(_ count: Int) -> [Double] {
        (1...count).map { (Double($0) * 0.6180339887498949).truncatingRemainder(dividingBy: 1) }
    }

    // scipy.stats.ks_2samp(a, b, method='exact'), SciPy 1.17.1
    static let pairs: [(first: [Double], second: [Double], statistic: Double, pValue: Double)] = [
        ([0.5], [0.5], 0, 1),
        ([0.1, 0.2, 0.3, 0.4, 0.9], [0.2, 0.35, 0.5, 0.6, 0.95], 0.4, 0.873015873015873),
        (golden(50), golden(50).map { min(1, $0 + 0.1) }, 0.12, 0.8692618870414056),
        (golden(20), (1...20).map { 0.01 * Double($0) / 20 }, 1, 1.4508889103849681e-11),
    ]

    @Test(arguments: pairs.indices)
    func agreesWithSciPy(index: Int) throws {
        let (first, second, statistic, pValue) = Self.pairs[index]
        let test = try #require(PairedKolmogorovSmirnov(first.reversed(), second))
        #expect(abs(test.statistic - statistic) < 1e-12)
        #expect(abs(test.pValue - pValue) <= 1e-9 * pValue)
    }

    @Test func nothingCanBeSaidOfNothing() {
        #expect(PairedKolmogorovSmirnov([], []) == nil)
        #expect(PairedKolmogorovSmirnov([1], [1, 2]) == nil)
    }
}
