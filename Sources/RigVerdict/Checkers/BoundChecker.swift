package import RigModel

/// B1: a kill costs at most the threshold per active request.
package enum BoundChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.bound

    /// Strict: the last network read counts too.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let lost = figures.lost, let bound = figures.bound, lost.count > bound else {
            return []
        }
        return [
            "lost \(Wording.bytes(lost.count)), \(lost.count - bound) more than the bound of"
                + " \(bound), at \(Wording.places(lost))"
        ]
    }
}
