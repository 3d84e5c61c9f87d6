import RigModel

extension EvidenceChecker {
    /// B5: what the worker acknowledged as saved must be found after the kill, byte for byte.
    ///
    /// Without a promise for this fault (T11), there is nothing to check.
    static let durability = EvidenceChecker(
        checker: .durability, needs: [.page], counts: [.any],
        details: { $0.forgotten + [$0.gone].compactMap(\.self) },
        lacksEvidence: {
            $0.evidence.plan.policy.survives($0.evidence.fault)
                && ($0.figures.acknowledged == nil || $0.figures.recovered == nil)
        })
}

extension JudgedKill {
    /// No power was cut in a launch that was only asked to end, so it is always checked.
    fileprivate var forgotten: [String] {
        evidence.lives.filter { !$0.remembersAll }.map {
            let forgotten = $0.forgotten ?? ByteRanges()
            return "\(forgotten.count.counted("byte")) that \($0.life.words) had acknowledged are"
                + " gone, at \(Wording.places(forgotten))"
        }
    }

    /// Not for faults that the commits' durability does not cover (T11), nor of positions announced
    /// for eviction, which ``EvidenceChecker/eviction`` judges.
    fileprivate var gone: String? {
        guard evidence.plan.policy.survives(evidence.fault),
            let acknowledged = figures.acknowledged, let recovered = figures.recovered
        else { return nil }
        let gone = acknowledged.subtracting(recovered)
        guard !gone.isEmpty else { return nil }
        return "\(gone.count) of \(acknowledged.count) acknowledged bytes are gone,"
            + " at \(Wording.places(gone))"
    }
}
