package import RigModel

/// A figure of a whole sample of rows, which can also be computed for resamples of it.
package struct SampleFigure: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case mean
        case median
        /// A percentile by nearest rank, 1 to 100.
        case percentile(Int)
        case ratio
    }

    package let kind: Kind
    private let values: [Double]
    private let divisors: [Double]
    /// The indices of the numbers in ascending order; empty for a figure that needs no order.
    private let order: [Int32]

    /// A figure of numbers, one per row and all finite; a ratio has a divisor for each.
    package init(_ kind: Kind, of values: [Double], over divisors: [Double] = []) {
        precondition(kind != .ratio || divisors.count == values.count, "a divisor per number")
        (self.kind, self.values, self.divisors) = (kind, values, divisors)
        switch kind {
        case .mean, .ratio: order = []
        case .median, .percentile:
            order = values.indices.sorted { values[$0] < values[$1] }.map(Int32.init)
        }
    }

    package var count: Int { values.count }

    /// The figure of the rows themselves; nil without rows, or for a division by 0.
    package var value: Double? {
        guard !values.isEmpty else { return nil }
        let value = value(of: Array(repeating: 1, count: values.count))
        return value.isFinite ? value : nil
    }

    /// Its 95 % interval; an end that the rows cannot give is nil, and without rows all is.
    package func interval(resamples: Int = Bootstrap.resamples) -> ConfidenceInterval? {
        switch kind {
        case .mean, .ratio: Bootstrap.interval(of: self, resamples: resamples)
        case .median: SortedSample(values).percentileInterval(50)
        case .percentile(let percent): SortedSample(values).percentileInterval(percent)
        }
    }

    /// The figure of a resample with each row so many times; not finite for a division by 0.
    func value(of times: [UInt32]) -> Double {
        times.withUnsafeBufferPointer { times in
            switch kind {
            case .mean: return sum(values, times) / Double(count)
            case .ratio: return sum(values, times) / sum(divisors, times)
            case .percentile(let percent): return ranked((percent * count + 99) / 100, times).first
            case .median:
                let middle = ranked((count + 1) / 2, times)
                return count.isMultiple(of: 2) ? middle.first / 2 + middle.next / 2 : middle.first
            }
        }
    }

    private func sum(_ numbers: [Double], _ times: UnsafeBufferPointer<UInt32>) -> Double {
        numbers.withUnsafeBufferPointer { numbers in
            var sum = 0.0
            for index in 0..<numbers.count { sum += Double(times[index]) * numbers[index] }
            return sum
        }
    }

    /// The number at a rank, counted from 1, and the one at the next rank.
    private func ranked(
        _ rank: Int, _ times: UnsafeBufferPointer<UInt32>
    ) -> (first: Double, next: Double) {
        order.withUnsafeBufferPointer { order in
            var place = 0
            var reached = Int(times[Int(order[0])])
            while reached < rank {
                place += 1
                reached += Int(times[Int(order[place])])
            }
            let first = values[Int(order[place])]
            while reached <= rank, place + 1 < order.count {
                place += 1
                reached += Int(times[Int(order[place])])
            }
            return (first, values[Int(order[place])])
        }
    }
}
