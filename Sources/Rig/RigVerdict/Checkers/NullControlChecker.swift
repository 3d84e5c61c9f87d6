import RigModel

/// B2: with `disabled`, a kill loses all bytes of the running request; otherwise the rig is broken.
enum NullControlChecker: EvidenceChecker {
    static let checker = Checker.nullControl
    static let needs: Set<EvidenceSource> = [.page]

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.promisesNothing
    }

    /// Looks for recovered bytes of requests that were still receiving.
    ///
    /// A worker that was asked to end may have saved everything (T12); its page then tells how often.
    /// A request that has received everything it asked for is saved as a whole (S2). The kill may
    /// have come after that save and before the page reported it, which is not a fault.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard evidence.plan.policy.threshold == nil, let recovered = figures.recovered,
            figures.witnessFault == nil, let witness = evidence.witness
        else { return [] }
        guard evidence.asked == nil || savesOnlyAtEnds(witness, evidence) else {
            return [
                "\(witness.commits) saves of \(witness.requests.count) requests, although each is"
                    + " saved once, at its end"
            ]
        }
        let running = witness.requests
            .filter { $0.isActive && !hasReceivedAll($0, evidence) }
            .map { $0.start..<$0.start + $0.received }
        // Bytes that another request saved at its end do not count for the running one.
        let others = WitnessReading(
            phase: witness.phase, commits: 0, requests: witness.requests.filter { !$0.isActive }
        ).acknowledged
        // A player's cancel ends a request at any byte, and it is then saved as a whole; the kill
        // may have come after that save and before the page reported it. Requests that a player
        // still needed are not excused: otherwise early saves would look like this.
        // A request to end may have cancelled any of them.
        let whole = running.filter {
            recovered.contains(ByteRanges([$0])) && savesOnlyAtEnds(witness, evidence)
                && (wasEnding(witness, evidence)
                    || evidence.workload.hasPlayer && !isWanted($0, running, evidence))
        }
        let survived = recovered.intersection(ByteRanges(running)).subtracting(others)
            .subtracting(ByteRanges(whole)).subtracting(evidence.baseline ?? ByteRanges())
        guard !survived.isEmpty else { return [] }
        return [
            "\(Wording.bytes(survived.count)) of the running request survived although nothing"
                + " is saved before its end, at \(Wording.places(survived))"
        ]
    }

    /// Needs the page and the recovered bytes.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        figures.witness == nil || figures.recovered == nil
    }

    /// False for a page with more saves than requests: the reference worker saves each in one piece,
    /// at its end.
    private static func savesOnlyAtEnds(
        _ page: WitnessReading, _ evidence: IterationEvidence
    ) -> Bool {
        !evidence.contract.isReference || page.isFull
            || page.commits <= page.requests.count { $0.acknowledged > 0 || $0.isActive }
    }

    /// True where a request to end may have ended all requests of the worker (T12).
    ///
    /// It ended by itself, or it was killed while a request of it was ending, as its page says. Of
    /// several requests a page names the phase of one.
    private static func wasEnding(_ page: WitnessReading, _ evidence: IterationEvidence) -> Bool {
        guard evidence.asked != nil else { return false }
        return evidence.endedWhenAsked || evidence.workload.hasPlayer
            || [.cancelling, .completing].contains(page.phase)
    }

    /// True for a request that was serving a player at the kill: it was not cancelled, so nothing
    /// of it may be saved.
    ///
    /// The player's position is within the received bytes, or at their end. If another request has
    /// the same position, that one may be the source, and this one cancelled.
    private static func isWanted(
        _ request: Range<Int64>, _ running: [Range<Int64>], _ evidence: IterationEvidence
    ) -> Bool {
        (evidence.played?.open ?? []).contains { open in
            let position = open.taken.upperBound
            return running.filter { $0.lowerBound <= position && position <= $0.upperBound }
                == [request]
        }
    }

    private static func hasReceivedAll(
        _ request: WitnessedRequest, _ evidence: IterationEvidence
    ) -> Bool {
        // Exact match: a probe of the first two bytes has the same start as the running request.
        let end = request.start + request.received
        return end >= evidence.videoLength
            || evidence.requests.contains {
                $0.requested.lowerBound == request.start && $0.requested.upperBound == end
            }
    }
}
