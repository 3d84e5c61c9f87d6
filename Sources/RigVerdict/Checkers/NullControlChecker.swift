package import RigModel

/// B2: with `disabled` a kill loses all of the running request, or the rig is broken.
package enum NullControlChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.nullControl

    /// Looks for recovered bytes of requests that were still receiving.
    ///
    /// A request that has received all it asked for is being saved as a whole (S2); the kill may
    /// have come after that save and before the page said so, which is no fault of anybody.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard evidence.plan.policy.threshold == nil, let recovered = figures.recovered,
            figures.witnessFault == nil, let witness = evidence.witness
        else { return [] }
        let running = witness.requests
            .filter { $0.isActive && !hasReceivedAll($0, evidence) }
            .map { $0.start..<$0.start + $0.received }
        // What another request had saved at its end is not the running one's.
        let others = WitnessReading(
            phase: witness.phase, commits: 0, requests: witness.requests.filter { !$0.isActive }
        ).acknowledged
        let whole = running.filter { evidence.workload.hasPlayer && isWhole($0, recovered) }
        let survived = recovered.intersection(ByteRanges(running)).subtracting(others)
            .subtracting(ByteRanges(whole)).subtracting(evidence.baseline ?? ByteRanges())
        guard !survived.isEmpty else { return [] }
        return [
            "\(Wording.bytes(survived.count)) of the running request survived although nothing"
                + " is saved before its end, at \(Wording.places(survived))"
        ]
    }

    /// A player's cancel ends a request at any byte, and it is then saved as a whole: the kill may
    /// have come after that save and before the page said so.
    private static func isWhole(_ received: Range<Int64>, _ recovered: ByteRanges) -> Bool {
        recovered.contains(ByteRanges([received]))
    }

    private static func hasReceivedAll(
        _ request: WitnessedRequest, _ evidence: IterationEvidence
    ) -> Bool {
        // Exactly: a probe of the first two bytes starts where the running request does, too.
        let end = request.start + request.received
        return end >= evidence.videoLength
            || evidence.requests.contains {
                $0.requested.lowerBound == request.start && $0.requested.upperBound == end
            }
    }
}
