package import RigModel

/// C7: what a running request brings, or the cache has, is not fetched by another request.
///
/// A download that another one takes over from ends with the network read under way, so that each
/// request may bring as much twice. Under a capacity, bytes that were evicted are rightly fetched
/// again, and nothing can be said.
package enum DuplicatesChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.duplicates

    /// Compares each request with those that the page tells of before it.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
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

    /// Takes a page that holds every request; under a capacity there is nothing to look for.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        guard evidence.capacity == nil else { return false }
        return figures.witness?.isFull ?? true
    }
}
