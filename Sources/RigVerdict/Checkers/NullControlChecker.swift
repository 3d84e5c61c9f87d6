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
        let whole = running.filter {
            evidence.workload.hasPlayer && isWhole($0, recovered)
                && !isWanted($0, running, evidence)
        }
        let survived = recovered.intersection(ByteRanges(running)).subtracting(others)
            .subtracting(ByteRanges(whole)).subtracting(evidence.baseline ?? ByteRanges())
        guard !survived.isEmpty else { return [] }
        return [
            "\(Wording.bytes(survived.count)) of the running request survived although nothing"
                + " is saved before its end, at \(Wording.places(survived))"
        ]
    }

    /// Takes the page and what was recovered.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        figures.witness == nil || figures.recovered == nil
    }

    /// True for a request from which a player was being served when the kill came: nothing had
    /// cancelled it, so that nothing of it may be saved.
    ///
    /// The player stands within what the request has received, or at its end. Where another one has
    /// the same position, that one may be its source, and this one be given up.
    private static func isWanted(
        _ request: Range<Int64>, _ running: [Range<Int64>], _ evidence: IterationEvidence
    ) -> Bool {
        (evidence.played?.open ?? []).contains { open in
            let position = open.taken.upperBound
            return running.filter { $0.lowerBound <= position && position <= $0.upperBound }
                == [request]
        }
    }

    /// True for a request of which everything is there.
    ///
    /// A player's cancel ends a request at any byte, and it is then saved as a whole: the kill may
    /// have come after that save and before the page said so. That excuses no request which a player
    /// still wanted (``isWanted(_:_:_:)``): else all that is saved as it comes would look like one.
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
