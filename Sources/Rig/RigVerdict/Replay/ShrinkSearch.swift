/// One number of a failing case that may be reduced.
package struct ShrinkDimension: Sendable, Hashable {
    package let name: String
    package let least: Int64
    /// The value with which the case is known to fail; at least `least`.
    package let value: Int64
    /// The distance to the boundary between failing and passing at which the search stops.
    package let grain: Int64

    package init(name: String, least: Int64, value: Int64, grain: Int64 = 1) {
        self.name = name
        self.least = min(least, value)
        self.value = value
        self.grain = max(1, grain)
    }
}

/// Finds a smaller case that still fails, by bisecting between a failing value and a passing one.
///
/// Each dimension is reduced in turn while the others stay, until a whole round changes nothing: a
/// local minimum, if failing values have no gaps. The candidates follow from their outcomes alone.
package struct ShrinkSearch: Sendable {
    package let dimensions: [ShrinkDimension]
    /// The most candidates; then the search ends with the smallest case so far.
    package let mostCandidates: Int

    package init(_ dimensions: [ShrinkDimension], mostCandidates: Int = 200) {
        (self.dimensions, self.mostCandidates) = (dimensions, mostCandidates)
    }

    package struct SmallestCase: Sendable, Hashable {
        package let values: [Int64]
        package let candidates: Int
        /// False when the search reached the limit of candidates.
        package let isMinimal: Bool
    }

    /// Searches for the smallest case that fails as the first; no candidate is tried twice.
    package func run(
        isolation: isolated (any Actor)? = #isolation, _ isFailing: ([Int64]) async throws -> Bool
    ) async rethrows -> SmallestCase {
        var progress = Progress(values: dimensions.map(\.value))
        var isSettled = false
        while !isSettled, progress.tried < mostCandidates {
            let before = progress.values
            for index in dimensions.indices { try await shrink(index, &progress, isFailing) }
            isSettled = progress.values == before
        }
        return SmallestCase(
            values: progress.values, candidates: progress.tried,
            isMinimal: isSettled && progress.tried < mostCandidates)
    }

    private struct Progress {
        var values: [Int64]
        var tried = 0
        var harmless: Set<[Int64]> = []
        /// The case with which a dimension's search ended: repeated, it could only probe gaps.
        var settled: [Int: [Int64]] = [:]
    }

    /// Tries the least value first, then bisects between it and the failing one.
    private func shrink(
        isolation: isolated (any Actor)? = #isolation,
        _ index: Int, _ progress: inout Progress, _ isFailing: ([Int64]) async throws -> Bool
    ) async rethrows {
        let dimension = dimensions[index]
        guard progress.values[index] > dimension.least,
            progress.settled[index] != progress.values
        else { return }
        defer { progress.settled[index] = progress.values }
        if try await tries(dimension.least, at: index, &progress, isFailing) { return }
        var harmless = dimension.least
        while progress.values[index] - harmless > dimension.grain,
            progress.tried < mostCandidates
        {
            let middle = harmless + (progress.values[index] - harmless) / 2
            if try await !tries(middle, at: index, &progress, isFailing) { harmless = middle }
        }
    }

    /// Tries one value of a dimension, and keeps it when it fails.
    private func tries(
        isolation: isolated (any Actor)? = #isolation, _ value: Int64, at index: Int,
        _ progress: inout Progress, _ isFailing: ([Int64]) async throws -> Bool
    ) async rethrows -> Bool {
        var candidate = progress.values
        candidate[index] = value
        guard !progress.harmless.contains(candidate) else { return false }
        progress.tried += 1
        guard try await isFailing(candidate) else {
            progress.harmless.insert(candidate)
            return false
        }
        progress.values = candidate
        return true
    }
}
