/// How much of a sweep over the states of a modelled power cut was tried; a case is one decision on
/// what it leaves, and needs no relaunch if it repeats another or no disk allows it.
package struct SweepCoverage: Sendable, Hashable, Codable {
    package let cases: Int
    package let tried: Int

    package init(cases: Int, tried: Int) { (self.cases, self.tried) = (cases, tried) }

    package var words: String {
        (tried == cases ? "all \(cases)" : "\(tried) of \(cases)") + " cases of the sweep"
    }
}
