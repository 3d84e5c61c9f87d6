internal import RigModel

/// What the kernel had handed to a worker and its page did not show yet when it died: the reads in
/// hand.
///
/// A kill lands at its moment, wherever that is: also between a read from a socket and the note that
/// the page takes of it. So the kernel may be ahead by one read per request, right behind what the
/// page shows of it, and by nothing else.
struct ReadsInHand: Sendable, Hashable {
    /// Reads of requests that had ended: a program that cancels may drop what it has just read.
    let dropped: ByteRanges
    /// Positions that the kernel handed over and that no read in hand explains.
    let unexplained: ByteRanges
    /// Positions that the page tells of and the kernel had not handed over.
    let invented: ByteRanges

    /// Compares a page with the kernel's count of the same life.
    init(page: WitnessReading, kernel: ByteRanges) {
        let ahead = kernel.subtracting(page.received)
        let active = ahead.intersection(Self.next(page.requests.filter(\.isActive)))
        let ended = ahead.intersection(Self.next(page.requests.filter { !$0.isActive }))
        dropped = ended.subtracting(active)
        unexplained = ahead.subtracting(active).subtracting(ended)
        invented = page.received.subtracting(kernel)
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
