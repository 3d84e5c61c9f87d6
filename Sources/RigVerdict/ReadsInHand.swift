internal import RigModel

/// What the kernel had handed to a worker and its page did not show yet when it died: the reads in
/// hand.
///
/// A kill lands at its moment, wherever that is: also between a read from a socket and the note that
/// the page takes of it. So the kernel may be ahead by the last read of each connection that was
/// open, and by nothing else. Which connections there were, the kernel says: a page that made up
/// requests would make room for any loss.
struct ReadsInHand: Sendable, Hashable {
    /// The last reads of answers that were given up: a program that cancels may drop what it has
    /// just read.
    let dropped: ByteRanges
    /// Positions that the kernel handed over and that no read in hand explains.
    let unexplained: ByteRanges
    /// Positions that the page tells of and the kernel had not handed over.
    let invented: ByteRanges

    /// Compares a page with the kernel's count of the same life; nil where that is not known.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - sockets: the kernel's count.
    ///   - mayCancel: true where something else than the worker makes it give up requests.
    init?(page: WitnessReading, sockets: SocketReading, mayCancel: Bool) {
        guard let answers = sockets.answers, let taken = sockets.taken else { return nil }
        let ahead = taken.subtracting(page.received)
        let inHand = ahead.intersection(Self.lastReads(answers.filter(\.isBeingRead)))
        let givenUp = answers.filter { !$0.isWhole && !$0.isBeingRead }
        let ended = page.requests.filter { !$0.isActive }
        dropped =
            mayCancel
            ? ahead.subtracting(inHand).intersection(Self.lastReads(givenUp))
                .intersection(Self.next(ended)) : ByteRanges()
        unexplained = ahead.subtracting(inHand).subtracting(dropped)
        invented = page.received.subtracting(taken).subtracting(sockets.mayBeTaken)
    }

    /// Where the last read of each answer lies at most.
    private static func lastReads(_ answers: [TakenAnswer]) -> ByteRanges {
        ByteRanges(
            answers.map { answer in
                let end = answer.taken.upperBound
                return max(answer.taken.lowerBound, end - Tolerances.readInHandBytes)..<end
            })
    }

    /// Where the next read of each request would lie.
    private static func next(_ requests: [WitnessedRequest]) -> ByteRanges {
        ByteRanges(
            requests.compactMap { request in
                guard let end = request.receivedRange.ranges.last?.upperBound ?? request.startEnd
                else { return nil }
                let (last, overflow) = end.addingReportingOverflow(
                    Tolerances.readInHandBytes)
                return end..<(overflow ? .max : last)
            })
    }
}

extension WitnessedRequest {
    /// Where a request begins that has received nothing; nil where the page says what cannot be.
    fileprivate var startEnd: Int64? { start >= 0 && start < .max ? start : nil }
}

extension IterationEvidence {
    /// The reads in hand of a page; nil where the kernel's count is not known.
    ///
    /// A player gives up requests, and so does a worker that an origin answers in an unusual way.
    func readsInHand(_ page: WitnessReading) -> ReadsInHand? {
        sockets.flatMap {
            ReadsInHand(page: page, sockets: $0, mayCancel: workload != .download || originChanged)
        }
    }
}
