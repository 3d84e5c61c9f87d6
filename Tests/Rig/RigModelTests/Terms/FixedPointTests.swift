import RigModel
import Testing

@Suite struct FixedPointTests {
    @Test(arguments: [
        (0.0, 0, "0"), (0.0, 3, "0.000"), (1.0, 2, "1.00"), (0.05, 1, "0.1"), (-0.25, 1, "-0.3"),
        (-1.5, 0, "-2"), (123.456_789, 6, "123.456789"), (0.000_001, 6, "0.000001"),
        (0.000_000_4, 6, "0.000000"), (-0.000_000_4, 6, "0.000000"), (9.999, 2, "10.00"),
        (1e9, 9, "1000000000.000000000"),
    ])
    func writes(value: Double, decimals: Int, text: String) {
        #expect(FixedPoint.text(value, decimals: decimals) == text)
    }

    /// A rate of 6.8801 % is not "below 6.88 %".
    @Test(arguments: [
        (6.8801, 2, "6.89"), (6.88, 2, "6.88"), (0.05 * 100, 1, "5.0"), (0.07 * 100, 2, "7.00"),
        (0, 1, "0.0"), (0.001, 1, "0.1"), (99.999, 1, "100.0"),
    ])
    func anUpperBoundIsNeverBelowItsValue(value: Double, decimals: Int, text: String) {
        #expect(FixedPoint.upperBound(value, decimals: decimals) == text)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 1e18])
    func whatCannotBeWrittenIsEmpty(value: Double) {
        #expect(FixedPoint.text(value, decimals: 6).isEmpty)
    }
}
