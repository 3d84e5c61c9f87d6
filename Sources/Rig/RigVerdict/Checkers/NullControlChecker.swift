import RigModel

extension EvidenceChecker {
    /// B2: with `disabled`, a kill loses all of the running request, or the rig is broken.
    static let nullControl = EvidenceChecker(
        checker: .nullControl, needs: [.page], applies: { $0.promisesNothing },
        details: { $0.savedUnderDisabled },
        lacksEvidence: { $0.figures.witness == nil || $0.figures.recovered == nil })
}

extension JudgedKill {
    /// Recovered bytes of requests that were still receiving.
    ///
    /// A worker that was asked to end may have saved everything (T12); its page tells how often. So
    /// may a request that has received everything (S2), before the page reports it.
    fileprivate var savedUnderDisabled: [String] {
        guard evidence.plan.policy.threshold == nil, let recovered = figures.recovered,
            figures.witnessFault == nil, let witness = evidence.witness
        else { return [] }
        guard evidence.asked == nil || savesOnlyAtEnds(witness) else {
            return [
                "\(witness.commits) saves of \(witness.requests.count) requests, although each is"
                    + " saved once, at its end"
            ]
        }
        let running = witness.requests
            .filter { $0.isActive && !hasReceivedAll($0) }
            .map { $0.start..<$0.start + $0.received }
        // Bytes that another request saved at its end do not count for the running one.
        let others = WitnessReading(
            phase: witness.phase, commits: 0, requests: witness.requests.filter { !$0.isActive }
        ).acknowledged
        // A player's cancel ends a request at any byte, and it is then saved as a whole, maybe
        // before the page reports it; a request to end may have cancelled any. A request that a
        // player still needed is not excused: otherwise early saves would look like this.
        let whole = running.filter {
            recovered.contains(ByteRanges([$0])) && savesOnlyAtEnds(witness)
                && (wasEnding(witness)
                    || evidence.workload.hasPlayer && !isWanted($0, running))
        }
        let survived = recovered.intersection(ByteRanges(running)).subtracting(others)
            .subtracting(ByteRanges(whole)).subtracting(evidence.baseline ?? ByteRanges())
        return [
            survived.told(
                "of the running request survived although nothing is saved before its end")
        ].compactMap(\.self)
    }

    /// False for more saves than requests: the reference worker saves each once, at its end.
    private func savesOnlyAtEnds(_ page: WitnessReading) -> Bool {
        !evidence.contract.isReference || page.isFull
            || page.commits <= page.requests.count { $0.acknowledged > 0 || $0.isActive }
    }

    /// True where a request to end may have ended all requests (T12): the worker ended, or its page
    /// says that one was ending; of several requests a page names the phase of one.
    private func wasEnding(_ page: WitnessReading) -> Bool {
        guard evidence.asked != nil else { return false }
        return evidence.endedWhenAsked || evidence.workload.hasPlayer
            || [.cancelling, .completing].contains(page.phase)
    }

    /// True for a request that was serving a player at the kill: its position is within the
    /// received bytes, or at their end, and in no other request, which may be the source.
    private func isWanted(_ request: Range<Int64>, _ running: [Range<Int64>]) -> Bool {
        (evidence.played?.open ?? []).contains { open in
            let position = open.taken.upperBound
            return running.filter { $0.lowerBound <= position && position <= $0.upperBound }
                == [request]
        }
    }

    private func hasReceivedAll(_ request: WitnessedRequest) -> Bool {
        // Exact match: a probe of the first two bytes has the same start as the running request.
        let end = request.start + request.received
        return end >= evidence.videoLength
            || evidence.requests.contains {
                $0.requested.lowerBound == request.start && $0.requested.upperBound == end
            }
    }
}
