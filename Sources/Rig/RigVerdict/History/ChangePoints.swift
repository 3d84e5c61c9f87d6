import Foundation
import RigModel

/// Finds where the level of a series changes.
///
/// Each split is tested by ``MannWhitney``; the one with the least p value is the candidate
/// (Pettitt, "A non-parametric approach to the change-point problem", Applied Statistics 28, 1979).
/// Its p value is the share of random orders in which the best split is at least as clear (the
/// permutation test of E-Divisive: Daly et al., "The Use of Change Point Detection to Identify
/// Software Performance Regressions in a Continuous Integration System", ICPE 2020). The greatest
/// clearness of random orders falls off as the p value that it is the logarithm of, so far fewer
/// orders show how rare a clear one is.
///
/// By rank the best split is nearer to the middle if the last figures before the change are among
/// the greatest: the place is the one near it with figures least away from their sides' medians.
///
/// A series with a change is divided there, and its parts, which are disjoint, are searched, each
/// with its share of the level by its length. Last, each change is tested again between its
/// neighbours.
struct ChangePoints {
    /// The fewest runs on either side: fewer are an outlier, and no level.
    static let least = 3
    private static let mostOrders = 20_000
    /// A search without a change ends as soon as so many orders were as clear (Besag and Clifford,
    /// "Sequential Monte Carlo p-values", Biometrika 78, 1991).
    private static let enough = 20
    /// The orders after which a much clearer split needs no more, and how much: − ln p.
    private static let fewOrders = 199
    private static let muchClearer = 12.0
    /// How far the place by rank may be off.
    private static let reach = 12

    struct Found: Equatable {
        /// The index of the first value of the new level.
        var index: Int
        var pValue: Double
    }

    private let values: [Double]
    private let level: Double
    /// The least share by which the levels must differ.
    private let drift: Double
    private let middle: (SortedSample) -> Double?
    private var random: SplitMix64

    /// The changes, in order; `level` is the probability that a series without one gets any.
    static func find(
        _ values: [Double], level: Double, drift: Double = 0,
        middle: @escaping (SortedSample) -> Double? = \.mean
    ) -> [Found] {
        var search = ChangePoints(values: values, level: level, drift: drift, middle: middle)
        var found: [Found] = []
        search.divide(0..<values.count, into: &found)
        return search.confirmed(found.sorted { $0.index < $1.index })
    }

    private init(
        values: [Double], level: Double, drift: Double, middle: @escaping (SortedSample) -> Double?
    ) {
        (self.middle, self.values, self.level, self.drift) = (middle, values, level, drift)
        random = SplitMix64(seed: Bootstrap.seed)
    }

    private mutating func divide(_ part: Range<Int>, into found: inout [Found]) {
        let share = level * Double(part.count) / Double(max(1, values.count))
        guard let change = change(in: part, level: share) else { return }
        found.append(change)
        divide(part.lowerBound..<change.index, into: &found)
        divide(change.index..<part.upperBound, into: &found)
    }

    /// The changes that stand between their neighbours, at their best places.
    private mutating func confirmed(_ found: [Found]) -> [Found] {
        var all = found
        var index = 0
        while index < all.count {
            let low = index > 0 ? all[index - 1].index : 0
            let high = index + 1 < all.count ? all[index + 1].index : values.count
            let share = level * Double(high - low) / Double(max(1, values.count))
            guard let change = change(in: low..<high, level: share),
                isLarge(low..<change.index, change.index..<high)
            else {
                all.remove(at: index)
                // The neighbour before has other neighbours now.
                index = max(0, index - 1)
                continue
            }
            all[index] = change
            index += 1
        }
        return all
    }

    private func isLarge(_ before: Range<Int>, _ after: Range<Int>) -> Bool {
        let sides = [before, after].map { middle(SortedSample(values[$0])) ?? 0 }
        let (first, second) = (sides[0], sides[1])
        return first != second && max(first, second) > min(first, second) * (1 + drift)
    }

    private mutating func change(in part: Range<Int>, level: Double) -> Found? {
        guard part.count >= 2 * Self.least else { return nil }
        let splits = SplitTest(Array(values[part]))
        guard splits.differs else { return nil }
        let best = splits.best(splits.ranks)
        let orders = min(Self.mostOrders, max(999, Int(10 / level)))
        var order = splits.ranks
        var asClear = 0
        var tried = 0
        var greatest = 0.0
        while tried < orders, asClear < Self.enough,
            tried < Self.fewOrders || best.clearness - greatest < Self.muchClearer
        {
            shuffle(&order)
            tried += 1
            let clearness = splits.best(order).clearness
            greatest = max(greatest, clearness)
            if clearness >= best.clearness { asClear += 1 }
        }
        // The series itself is one of the orders.
        var pValue = Double(asClear + 1) / Double(tried + 1)
        if best.clearness - greatest >= Self.muchClearer {
            pValue *= exp(greatest - best.clearness)
        }
        guard pValue <= level else { return nil }
        return Found(index: place(near: part.lowerBound + best.split, in: part), pValue: pValue)
    }

    /// The split near one at which the figures are least away from the medians of their sides.
    private func place(near split: Int, in part: Range<Int>) -> Int {
        let first = max(part.lowerBound + Self.least, split - Self.reach)
        let last = min(part.upperBound - Self.least, split + Self.reach)
        func distance(_ split: Int) -> Double {
            [part.lowerBound..<split, split..<part.upperBound].reduce(0) { sum, side in
                let middle = SortedSample(values[side]).median ?? 0
                return values[side].reduce(sum) { $0 + abs($1 - middle) }
            }
        }
        var best = (split: split, distance: distance(split))
        for other in first...last {
            let distance = distance(other)
            if distance < best.distance { best = (other, distance) }
        }
        return best.split
    }

    private mutating func shuffle(_ order: inout [Int]) {
        for index in stride(from: order.count - 1, to: 0, by: -1) {
            let bound = UInt64(index + 1)
            // The index is drawn as in `Bootstrap`.
            let other = Int(truncatingIfNeeded: ((random.next() >> 32) &* bound) >> 32)
            order.swapAt(index, other)
        }
    }
}

/// The Mann–Whitney tests of all splits of one series.
private struct SplitTest {
    /// Twice the rank of each value.
    let ranks: [Int]
    private let variance: Double
    /// The deviation of twice U, for each size of the first side.
    private let deviations: [Double]
    /// − ln of the exact p value by the least U of the two sides, for each size of a small one.
    private let exact: [[Double]]

    init(_ values: [Double]) {
        let mid = MidRanks(values)
        ranks = mid.doubled
        let mean = Double(values.count + 1)
        variance =
            ranks.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
            / Double(values.count - 1)
        let (count, spread) = (Double(values.count), variance)
        deviations = (0...values.count).map {
            (Double($0) * (count - Double($0)) / count * spread).squareRoot()
        }
        exact = (0...MannWhitney.mostExact).map { size in
            size < ChangePoints.least || size * 2 > values.count
                ? []
                : MannWhitney.exactPValues(first: size, second: values.count - size)
                    .map { -log($0) }
        }
    }

    var differs: Bool { variance > 0 }

    /// The clearest split of an order of the ranks, and how clear it is: − ln p.
    func best(_ order: [Int]) -> (split: Int, clearness: Double) {
        var found = (split: ChangePoints.least, clearness: -Double.infinity)
        var sum = 0
        let count = order.count
        order.withUnsafeBufferPointer { order in
            for split in 1...(count - ChangePoints.least) {
                sum += order[split - 1]
                guard split >= ChangePoints.least else { continue }
                let clearness = clearness(doubledSum: sum, size: split, of: count)
                if clearness > found.clearness { found = (split, clearness) }
            }
        }
        return found
    }

    private func clearness(doubledSum: Int, size: Int, of count: Int) -> Double {
        // Twice U of the first side.
        let doubledU = doubledSum - size * (size + 1)
        let product = size * (count - size)
        let small = min(size, count - size)
        if small < exact.count, !exact[small].isEmpty {
            return exact[small][min(doubledU, 2 * product - doubledU) / 2]
        }
        let deviate = (abs(Double(doubledU - product)) - 1) / deviations[size]
        // ln erfc(z ÷ √2) without underflow, to a few percent: enough to compare splits by.
        return deviate > 0 ? deviate * deviate / 2 + log(1 + deviate * 1.25) : 0
    }
}
