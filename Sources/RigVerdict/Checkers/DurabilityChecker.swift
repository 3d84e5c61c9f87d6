package import RigModel

/// B5: what the worker called safe is found after the kill, byte for byte.
package enum DurabilityChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.durability

    /// Acknowledged positions must be recovered ones.
    ///
    /// Commits need not survive a fault that their durability does not speak of (T11).
    /// Where a capacity lets them be evicted, ``EvictionChecker`` says whether they may be gone.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard evidence.plan.policy.survives(evidence.fault),
            let acknowledged = figures.acknowledged,
            let recovered = figures.recovered
        else {
            return []
        }
        let gone = acknowledged.subtracting(recovered)
        guard !gone.isEmpty else { return [] }
        return [
            "\(gone.count) of \(acknowledged.count) acknowledged bytes are gone,"
                + " at \(Wording.places(gone))"
        ]
    }
}
