package import RigModel

/// B5: what the worker called safe is found after the kill, byte for byte.
package enum DurabilityChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.durability

    /// Acknowledged positions must be recovered ones.
    ///
    /// Commits need not survive a fault that their durability does not speak of (T11).
    /// Those that the worker said it would evict are none of them any more; whether they might go
    /// says ``EvictionChecker``.
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

    /// Takes what was acknowledged, which only a page tells, and what was recovered.
    ///
    /// Where commits need not survive the fault (T11), there is nothing to look for.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        guard evidence.plan.policy.survives(evidence.fault) else { return false }
        return figures.acknowledged == nil || figures.recovered == nil
    }
}
