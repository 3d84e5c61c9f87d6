import RigModel

/// B5: what the worker acknowledged as saved must be found after the kill, byte for byte.
enum DurabilityChecker: EvidenceChecker {
    static let checker = Checker.durability
    static let needs: Set<EvidenceSource> = [.page]
    static let counts: Set<KillCircumstance> = [.any]

    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        forgotten(evidence) + gone(evidence, figures)
    }

    /// No power was cut in a launch that was only asked to end, so it is always checked.
    private static func forgotten(_ evidence: IterationEvidence) -> [String] {
        evidence.lives.filter { !$0.remembersAll }.map {
            let forgotten = $0.forgotten ?? ByteRanges()
            return
                "\(Wording.bytes(forgotten.count)) that \($0.life.words) had acknowledged are gone,"
                + " at \(Wording.places(forgotten))"
        }
    }

    /// Not checked for faults that the commits' durability does not cover (T11).
    ///
    /// Positions that the worker announced for eviction do not count; ``EvictionChecker`` judges
    /// whether they could be evicted.
    private static func gone(
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

    /// Needs the acknowledged bytes, which only a page reports, and the recovered ones.
    ///
    /// Without a promise for this fault (T11), there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        guard evidence.plan.policy.survives(evidence.fault) else { return false }
        return figures.acknowledged == nil || figures.recovered == nil
    }
}
