/// One number of a failing case that may be made smaller.
package struct ShrinkDimension: Sendable, Hashable {
    /// What the number is, in words.
    package let name: String
    /// The smallest value that makes sense.
    package let least: Int64
    /// The value with which the case is known to fail; at least `least`.
    package let value: Int64
    /// How close to the boundary between failing and not failing the search has to come.
    package let grain: Int64

    /// A number from `value` down to `least`.
    package init(name: String, least: Int64, value: Int64, grain: Int64 = 1) {
        self.name = name
        self.least = min(least, value)
        self.value = value
        self.grain = max(1, grain)
    }
}

/// Finds a smaller case that still fails, as delta debugging does: by halving what is between a
/// value that fails and one that does not.
///
/// Each dimension is taken in turn while the others stay, until a whole round changes nothing. What
/// comes out is a local minimum: it fails, and no dimension by itself was found to fail at a smaller
/// value on the way of the halving. Where failing values have gaps, a smaller one may be hidden in
/// them. The order of the candidates follows from their outcomes alone, so a search of a
/// deterministic failure always ends at the same case.
package struct ShrinkSearch: Sendable {
    /// The numbers, in the order in which they are made smaller.
    package let dimensions: [ShrinkDimension]
    /// After so many candidates the search ends with the smallest case so far.
    package let mostCandidates: Int

    /// A search from a case that is known to fail.
    package init(_ dimensions: [ShrinkDimension], mostCandidates: Int = 200) {
        self.dimensions = dimensions
        self.mostCandidates = mostCandidates
    }

    /// The smallest failing case that the search comes to.
    package struct Outcome: Sendable, Hashable {
        /// One value per dimension.
        package let values: [Int64]
        /// How many candidates were tried.
        package let candidates: Int
        /// False when the search ended because it had tried as many as it may.
        package let isMinimal: Bool
    }

    /// Carries the search out.
    ///
    /// - Parameters:
    ///   - isolation: where the search runs: where its caller does.
    ///   - isFailing: tries a candidate, one value per dimension; true when it fails as the case does
    ///     that is made smaller. It is asked about no candidate twice.
    /// - Returns: the smallest case found; the one that the search began with when none is smaller.
    /// - Throws: what `isFailing` throws.
    package func run(
        isolation: isolated (any Actor)? = #isolation,
        _ isFailing: ([Int64]) async throws -> Bool
    ) async rethrows -> Outcome {
        var progress = Progress(values: dimensions.map(\.value))
        var isSettled = false
        while !isSettled, progress.tried < mostCandidates {
            let before = progress.values
            for index in dimensions.indices {
                try await shrink(index, &progress, isFailing)
            }
            isSettled = progress.values == before
        }
        return Outcome(
            values: progress.values, candidates: progress.tried,
            isMinimal: isSettled && progress.tried < mostCandidates)
    }

    private struct Progress {
        var values: [Int64]
        var tried = 0
        var harmless: Set<[Int64]> = []
        /// The case with which a dimension's search ended: without a change of another one, the same
        /// search again could only look into gaps.
        var settled: [Int: [Int64]] = [:]
    }

    /// Halves the way from the least value, which comes first, to the one that fails.
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
        isolation: isolated (any Actor)? = #isolation,
        _ value: Int64, at index: Int, _ progress: inout Progress,
        _ isFailing: ([Int64]) async throws -> Bool
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
