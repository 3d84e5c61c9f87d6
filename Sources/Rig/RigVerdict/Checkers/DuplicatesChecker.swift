import RigModel

extension EvidenceChecker {
    /// C7: a request must not fetch what a running request is fetching or the cache already has.
    ///
    /// One that another takes over ends only after its current read, so each may fetch that much
    /// twice. Under a capacity, evicted bytes are rightly fetched again, so nothing can be checked.
    static let duplicates = EvidenceChecker(
        checker: .duplicates, needs: [.page], counts: [.tooLate, .unreadState],
        applies: { $0.workload.hasPlayer }, details: { [$0.fetchedTwice].compactMap(\.self) },
        lacksEvidence: { $0.evidence.capacity == nil && $0.figures.witness?.isFull ?? true })
}

extension JudgedKill {
    fileprivate var fetchedTwice: String? {
        guard evidence.capacity == nil, figures.witnessFault == nil,
            let witness = evidence.witness, !witness.isFull
        else { return nil }
        var brought = ByteRanges()
        var twice = ByteRanges()
        var count = 0
        for request in witness.requests {
            let own = request.receivedRange
            let again = own.intersection(brought)
            if again.count > Tolerances.duplicateBytesPerRequest {
                twice = twice.union(again)
                count += 1
            }
            brought = brought.union(own)
        }
        return twice.told(
            "were fetched again by \(count) of \(witness.requests.count) requests although others"
                + " brought them")
    }
}
