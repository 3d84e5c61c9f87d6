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

    /// Compares a page with the kernel's count of the same life; nil when that is unknown.
    ///
    /// No kill tells what was read of a program that ended after an error (`hasFailed`): what it had
    /// just read may be what it could not write.
    init?(page: WitnessReading, sockets: SocketReading, mayCancel: Bool, hasFailed: Bool = false) {
        guard let answers = sockets.answers, let taken = sockets.taken else { return nil }
        let ahead = taken.subtracting(page.received)
        let inHand = ahead.intersection(
            Self.lastReads(hasFailed ? answers : answers.filter(\.isBeingRead)))
        let givenUp = answers.filter { !$0.isWhole && !$0.isBeingRead }
        let ended = page.requests.filter { !$0.isActive }
        dropped =
            mayCancel
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
            requests.compactMap { request in
                guard let end = request.receivedRange.ranges.last?.upperBound ?? request.startEnd
                else { return nil }
                let (last, overflow) = end.addingReportingOverflow(Tolerances.readInHandBytes)
                return end..<(overflow ? .max : last)
            })
    }
}

extension WitnessedRequest {
    /// The start of a request that has received nothing; nil when the page's value is impossible.
    fileprivate var startEnd: Int64? { start >= 0 && start < .max ? start : nil }
}

extension IterationEvidence {
    /// Players abandon requests; a download meets unusual answers only after the kill.
    func readsInHand(_ page: WitnessReading) -> ReadsInHand? {
        sockets.flatMap {
            ReadsInHand(
                page: page, sockets: $0, mayCancel: workload != .download,
                hasFailed: failure != nil)
        }
    }
}
