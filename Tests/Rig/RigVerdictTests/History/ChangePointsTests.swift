import Foundation
import RigModel
import Testing

@testable import RigVerdict

/// Where a series of figures changes is marked, and nowhere else.
@Suite struct ChangePointsTests {
    /// Figures that vary like those of equal runs; `level` gives the level of each place.
    private static func noisy(
        _ count: Int, seed: UInt64, level: (Int) -> Double = { _ in 8 }
    ) -> [Double] {
        var random = SplitMix64(seed: seed)
        func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        return (0..<count).map { place in
            // A sum of uniform numbers is nearly normal; its deviation is 0.3.
            level(place) + ((0..<12).reduce(0) { sum, _ in sum + uniform() } - 6) * 0.3
        }
    }

    private static func places(_ values: [Double], level: Double = 0.01) -> [Int] {
        ChangePoints.find(values, level: level).map(\.index)
    }

    /// The regression of the issue: at run 150 of 200.
    @Test(arguments: 1...10)
    func aRegressionIsMarkedWhereItIsAndNowhereElse(seed: UInt64) {
        let values = Self.noisy(200, seed: seed) { $0 < 149 ? 8 : 10 }
        #expect(Self.places(values) == [149])
    }

    /// A search that looks at every place must not find something by looking often: of 200 series
    /// without a change at most 5 % may have a mark, and 18 is what 5 % exceed once in 100 times.
    @Test func equalRunsAreSeldomMarked() {
        let marked = (1...200).count { seed in
            !Self.places(Self.noisy(100, seed: UInt64(1000 + seed)), level: 0.05).isEmpty
        }
        #expect(marked <= 18, "\(marked)")
    }

    /// The same with figures of which most are equal, as the shares of violations are: the normal
    /// approximation of one test calls a single violation in the last runs certain.
    @Test func rareEventsAreSeldomMarked() {
        let marked = (1...200).count { seed in
            var random = SplitMix64(seed: UInt64(seed))
            let values = (0..<100).map { _ in random.next() % 25 == 0 ? 1.0 : 0 }
            return !Self.places(values, level: 0.05).isEmpty
        }
        #expect(marked <= 18, "\(marked)")
    }

    @Test(arguments: [3, 4, 6])
    func aFreshRegressionIsMarkedAfterThreeRuns(runs: Int) {
        let values = Self.noisy(200, seed: 7) { $0 < 200 - runs ? 8 : 12 }
        #expect(Self.places(values, level: 0.0025) == [200 - runs])
    }

    /// One slow run is no new level, however far off it is.
    @Test(arguments: [[50], [50, 51], [99], [0]])
    func outliersAreNotMarked(at places: [Int]) {
        let values = Self.noisy(100, seed: 4) { places.contains($0) ? 80 : 8 }
        #expect(Self.places(values).isEmpty)
    }

    @Test func aRegressionAndItsRepairAreBothMarked() {
        let values = Self.noisy(200, seed: 11) { (80..<120).contains($0) ? 11 : 8 }
        #expect(Self.places(values) == [80, 120])
    }

    @Test func aStaircaseIsMarkedAtEachStep() {
        let values = Self.noisy(200, seed: 12) { 8 + 3 * Double($0 / 50) }
        #expect(Self.places(values) == [50, 100, 150])
    }

    @Test func violationsThatBeginAreMarked() {
        let values = (0..<100).map { $0 < 60 ? 0.0 : $0.isMultiple(of: 2) ? 4 : 0 }
        #expect(Self.places(values) == [60])
    }

    /// Times of equal programs differ from week to week by so much.
    @Test func aTimeHasToChangeByMoreThanAMachineDrifts() {
        let values = Self.noisy(200, seed: 13) { $0 < 100 ? 80 : 86 }
        #expect(Self.places(values) == [100])
        #expect(ChangePoints.find(values, level: 0.05, drift: 0.1).isEmpty)
        let slower = Self.noisy(200, seed: 13) { $0 < 100 ? 80 : 96 }
        #expect(ChangePoints.find(slower, level: 0.05, drift: 0.1).map(\.index) == [100])
    }

    @Test(arguments: [0, 1, 2, 5])
    func fewRunsShowNothing(count: Int) {
        #expect(Self.places((0..<count).map { $0 < count / 2 ? 0 : 100 }).isEmpty)
    }

    @Test func equalFiguresShowNothing() {
        #expect(Self.places(Array(repeating: 7, count: 500)).isEmpty)
    }

    /// The tables of exact p values are those of the test of single samples.
    @Test(arguments: [(3, 5), (4, 4), (8, 30)])
    func exactValuesAreThoseOfTheTest(first: Int, second: Int) {
        let values = MannWhitney.exactPValues(first: first, second: second)
        #expect(values.count == first * second / 2 + 1)
        let low = (0..<first).map(Double.init)
        let high = (0..<second).map { Double($0 + first) }
        #expect(values[0] == MannWhitney.test(low, high).pValue)
        #expect(values[0] == MannWhitney.leastPValue(first: first, second: second))
        #expect(values.last == 1 || first * second % 2 == 1)
    }
}
