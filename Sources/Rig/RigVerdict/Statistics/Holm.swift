/// Holm's step-down correction of several p values for multiple testing.
package enum Holm {
    /// The adjusted p values, in the order given: if every null hypothesis is true, one is at most
    /// α with a probability of at most α, for any dependence between the tests.
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
