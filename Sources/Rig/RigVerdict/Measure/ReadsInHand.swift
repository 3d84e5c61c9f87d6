internal import RigModel

/// The reads in hand: bytes that the kernel had handed to a worker and that its page did not show
/// yet when it was killed, at most the last read of each open connection.
///
/// The kernel tells which there were: a page with invented requests could otherwise hide any loss.
struct ReadsInHand: Sendable, Hashable {
    /// The last reads of abandoned answers: a program that cancels may drop what it has just read.
    let dropped: ByteRanges
    /// Positions that the kernel handed over and no read in hand explains.
    let unexplained: ByteRanges
    /// Positions that the page reports and the kernel had not handed over.
    let invented: ByteRanges

    /// Compares a usable page with the kernel's count of the same life; nil when that is unknown.
    init?(_ page: WitnessReading, of evidence: IterationEvidence) {
        guard let sockets = evidence.sockets, let answers = sockets.answers,
            let taken = sockets.taken
        else { return nil }
        let ahead = taken.subtracting(page.received)
        // No kill tells what was read of a program that ended after an error: what it had just read
        // may be what it could not write.
        let mayBeInHand = evidence.failure == nil ? answers.filter(\.isBeingRead) : answers
        let inHand = ahead.intersection(Self.lastReads(mayBeInHand))
        let givenUp = answers.filter { !$0.isWhole && !$0.isBeingRead }
        let ended = page.requests.filter { !$0.isActive }
        // Players abandon requests; a download meets unusual answers only after the kill.
        dropped =
            evidence.workload != .download
            ? ahead.subtracting(inHand).intersection(Self.lastReads(givenUp))
                .intersection(Self.next(ended)) : ByteRanges()
        unexplained = ahead.subtracting(inHand).subtracting(dropped)
        invented = page.received.subtracting(taken).subtracting(sockets.mayBeTaken)
    }

    /// The greatest possible extent of each answer's last read.
    private static func lastReads(_ answers: [TakenAnswer]) -> ByteRanges {
        ByteRanges(
            answers.map { answer in
                let end = answer.taken.upperBound
                return max(answer.taken.lowerBound, end - Tolerances.readInHandBytes)..<end
            })
    }

    /// The greatest possible extent of each request's next read.
    private static func next(_ requests: [WitnessedRequest]) -> ByteRanges {
        ByteRanges(
            requests.map { request in
                let end = request.start + request.received
                return end..<end + Tolerances.readInHandBytes
            })
    }
}
