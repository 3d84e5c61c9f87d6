package import RigModel

/// Why a witness page cannot be used, and whether the worker is at fault, which writes it.
package struct WitnessFault: Sendable, Hashable {
    package let sentence: String
    /// False when the kill may have come before the page, or when the page is full.
    package let isOfTheWorker: Bool

    /// Nil for a page that can be used, and when none is promised.
    package init?(of evidence: IterationEvidence) {
        if let witness = evidence.witness {
            guard let request = witness.requests.first(where: { !$0.fits(evidence.videoLength) })
            else { return nil }
            sentence =
                "the witness page says what cannot be: a request from \(request.start) on with"
                + " \(request.received) bytes received and \(request.acknowledged) acknowledged, of a"
                + " video of \(evidence.videoLength)"
            isOfTheWorker = true
            return
        }
        guard evidence.contract.hasWitness else { return nil }
        switch evidence.witnessGap {
        case nil, .absent:
            let taken = Self.takenWithoutAPage(evidence)
            isOfTheWorker = taken != nil
            sentence =
                "no witness page: the worker \(taken ?? "died before it wrote one, or writes none")"
        case .strangePhase:
            isOfTheWorker = true
            sentence = "the witness page holds the number of a phase that does not exist"
        case .requestsMissing(let begun):
            isOfTheWorker = Self.isUnlikely(begun, evidence)
            sentence =
                "the witness page counts \(begun) requests and does not hold all of them; the origin"
                + " was asked \(evidence.requests.count) times"
        case .evictionsMissing:
            isOfTheWorker = evidence.capacity == nil
            sentence =
                "the witness page counts more evictions than it holds"
                + (evidence.capacity == nil ? ", and nothing had to go" : "")
        }
    }

    /// What a worker without a page had done, which comes first; nil if the kill may have.
    private static func takenWithoutAPage(_ evidence: IterationEvidence) -> String? {
        if let taken = evidence.sockets?.received, !taken.isEmpty {
            return "had taken \(taken.count.counted("byte")) of the video and begun none"
        }
        let isServed = evidence.requests.contains { $0.servedBytes > 0 }
        guard !evidence.killSent, isServed, evidence.death == evidence.expectedUnkilledDeath else {
            return nil
        }
        return "ended in good order and had begun none"
    }

    /// True when the origin got so few requests that the worker cannot have begun so many.
    private static func isUnlikely(_ begun: Int, _ evidence: IterationEvidence) -> Bool {
        evidence.contract.asksOrigin
            && begun / Tolerances.requestsBegunPerAsked > max(1, evidence.requests.count)
    }
}

extension WitnessedRequest {
    fileprivate func fits(_ videoLength: Int64) -> Bool {
        let room = videoLength - start
        return [start, received, acknowledged, room].allSatisfy { $0 >= 0 }
            && max(received, acknowledged) <= room
    }
}
