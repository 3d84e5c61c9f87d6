import RigModel

/// How much the speed of a machine changes by itself, as far as its runs show it.
///
/// Two runs are made at two times, and a machine is seldom as fast at both: between equal runs,
/// medians of times differ by a tenth on a quiet machine and by more on a busy one. No test of the
/// rows tells that from a slower worker. So a difference of times between runs counts only where it
/// goes beyond what is usual, and beyond what the runs show within themselves: how far the medians
/// of ``blocks`` stretches of a run lie apart. Within one run the policies take turns, so that its
/// drift meets all alike.
enum Drift {
    /// The least that is allowed for, in parts of one.
    static let usual = 0.1
    /// Into how many stretches a run is cut.
    static let blocks = 5
    /// How many rows a stretch has at least; with fewer their medians differ by chance.
    static let leastRows = 4

    /// What to allow for between two runs.
    ///
    /// - Parameters:
    ///   - base: times of one run, in the order in which they were taken.
    ///   - other: those of the other.
    /// - Returns: parts of one: 0.1 allows for 10 %.
    static func between(_ base: [Double], _ other: [Double]) -> Double {
        max(usual, within(base), within(other))
    }

    /// How far the medians of a run's stretches lie apart; 0 for too few rows to cut.
    private static func within(_ values: [Double]) -> Double {
        guard values.count >= blocks * leastRows else { return 0 }
        let medians = (0..<blocks).compactMap { block in
            SortedSample(
                values[(values.count * block / blocks)..<(values.count * (block + 1) / blocks)]
            ).median
        }
        guard let low = medians.min(), let high = medians.max(), low > 0 else { return 0 }
        return high / low - 1
    }

    /// Tests whether two samples differ by more than a factor.
    ///
    /// The one that is less is raised by it first: what is left has to be significant still.
    ///
    /// - Parameters:
    ///   - base: numbers, of pairs in the order of the pairs.
    ///   - other: the same.
    ///   - isPaired: whether numbers of one index are a pair.
    ///   - drift: parts of one; 0 tests for any difference.
    /// - Returns: the test; p = 1 where they lie closer together.
    static func test(
        _ base: [Double], _ other: [Double], isPaired: Bool, drift: Double
    ) -> RankTest {
        func ranks(_ first: [Double], _ second: [Double]) -> RankTest {
            isPaired
                ? WilcoxonSignedRank.test(zip(first, second).map { $1 - $0 })
                : MannWhitney.test(first, second)
        }
        guard drift > 0 else { return ranks(base, other) }
        let above = ranks(base.map { $0 * (1 + drift) }, other)
        if above.direction > 0 { return above }
        let below = ranks(base, other.map { $0 * (1 + drift) })
        if below.direction < 0 { return below }
        return RankTest(
            pValue: 1, leastPValue: above.leastPValue, direction: 0, method: above.method)
    }
}
