import RigModel

/// C7: a request must not fetch what a running request is fetching or the cache already has.
///
/// A download that another request takes over ends only after its current network read, so each
/// request may fetch that much twice. Under a capacity, evicted bytes are rightly fetched again, so
/// nothing can be checked.
enum DuplicatesChecker: EvidenceChecker {
    static let checker = Checker.duplicates
    static let needs: Set<EvidenceSource> = [.page]
    static let counts: Set<KillCircumstance> = [.tooLate, .unreadState]

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.workload.hasPlayer
    }

    /// Compares each request with the earlier ones of the page.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard evidence.capacity == nil, figures.witnessFault == nil,
            let witness = evidence.witness, !witness.isFull
        else { return [] }
        var brought = ByteRanges()
        var twice = ByteRanges()
        var count = 0
        for request in witness.requests {
            let own = ByteRanges([request.start..<request.start + max(0, request.received)])
            let again = own.intersection(brought)
            if again.count > Tolerances.duplicateBytesPerRequest {
                twice = twice.union(again)
                count += 1
            }
            brought = brought.union(own)
        }
        guard count > 0 else { return [] }
        return [
            "\(Wording.bytes(twice.count)) were fetched again by \(count) of"
                + " \(witness.requests.count) requests although others brought them,"
                + " at \(Wording.places(twice))"
        ]
    }

    /// Needs a page that holds every request; under a capacity there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        guard evidence.capacity == nil else { return false }
        return figures.witness?.isFull ?? true
    }
}
