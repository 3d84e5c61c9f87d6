/// Holm's step-down correction: of many p values, how likely any as small as each is by chance.
package enum Holm {
    /// The adjusted p values, in the order given.
    ///
    /// Where no hypothesis is wrong, some adjusted value is at most α with a probability of at most
    /// α, however the tests depend on each other.
    ///
    /// - Parameter pValues: one per test of the family.
    /// - Returns: as many, each at least the original and at most 1.
    package static func adjusted(_ pValues: [Double]) -> [Double] {
        var result = pValues
        var greatest = 0.0
        for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated()
        {
            greatest = max(greatest, Double(pValues.count - rank) * pValues[index])
            result[index] = min(1, greatest)
        }
        return result
    }
}
