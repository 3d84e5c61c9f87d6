/// How much of a sweep over the states of a modelled power cut was tried.
///
/// A case is one decision on what a cut leaves: a first part of the operations, one of them missing
/// or torn, or a later one there without an earlier one. Some cases leave the same files, and some
/// are none that the disk allows; these are tried without a relaunch.
package struct SweepCoverage: Sendable, Hashable, Codable {
    package let cases: Int
    package let tried: Int

    package init(cases: Int, tried: Int) { (self.cases, self.tried) = (cases, tried) }
}

extension SweepCoverage {
    /// `all 40 cases of the sweep`, or `40 of 900 cases of the sweep`.
    package var words: String {
        (tried == cases ? "all \(cases)" : "\(tried) of \(cases)") + " cases of the sweep"
    }
}
