package struct TakenAnswer: Sendable, Hashable, Codable {
    /// The positions certainly taken, starting at the answer's first position.
    package let taken: Range<Int64>
    /// The end of what was possibly taken: beyond ``taken`` if the kernel dropped its counters.
    package let mostTaken: Int64
    package let isWhole: Bool
    /// True when its bytes were still arriving, or so recently that they may not be saved yet.
    package let isUnderWay: Bool
    /// True where a read of it may have been in progress at the kill.
    package var isBeingRead: Bool

    package init(
        taken: Range<Int64>, mostTaken: Int64? = nil, isWhole: Bool, isUnderWay: Bool,
        isBeingRead: Bool
    ) {
        self.taken = taken
        self.mostTaken = max(mostTaken ?? taken.upperBound, taken.upperBound)
        (self.isWhole, self.isUnderWay, self.isBeingRead) = (isWhole, isUnderWay, isBeingRead)
    }

    package var count: Int64 { taken.upperBound - taken.lowerBound }
}

/// What a worker had taken off its sockets when it died, by the kernel's count: per connection, the
/// bytes delivered, minus the receive queue, minus the response heads, mapped to the positions in
/// the origin's ledger; counted after death, so that counting does not shift the moment of the
/// kill.
package struct SocketReading: Sendable, Hashable, Codable {
    /// The answers, in order; nil if unknown.
    package let answers: [TakenAnswer]?
    /// Requests that may have had bytes left to save: of those wholly taken, few; nil if unknown.
    package var activeRequests: Int?
    /// Why not all positions are known, as with another protocol than HTTP; nil when all are.
    package let unknownReason: String?
    /// True when the kernel's figures are ambiguous because of how connections were used.
    package let isLost: Bool

    /// A reading of known answers; without a number, all that may have been under way are active.
    package init(answers: [TakenAnswer], activeRequests: Int? = nil) {
        self.answers = answers
        self.activeRequests = activeRequests ?? answers.count(where: \.isUnderWay)
        let isCertain = answers.allSatisfy { $0.mostTaken == $0.taken.upperBound }
        unknownReason = isCertain ? nil : Self.abrupt
        isLost = false
    }

    package init(unknown reason: String, activeRequests: Int? = nil, isLost: Bool = false) {
        answers = nil
        self.activeRequests = activeRequests
        unknownReason = reason
        self.isLost = isLost
    }

    package static let abrupt =
        "a connection was closed abruptly (SO_LINGER), after which the kernel does not tell what"
        + " was read of it"

    package var taken: ByteRanges? { answers.map { ByteRanges($0.map(\.taken)) } }

    /// Positions possibly taken in addition; empty when all are certain.
    package var mayBeTaken: ByteRanges {
        ByteRanges((answers ?? []).map { $0.taken.upperBound..<$0.mostTaken })
            .subtracting(taken ?? ByteRanges())
    }

    package var mostTaken: ByteRanges? { taken?.union(mayBeTaken) }

    /// The positions of the video taken off sockets in this life; nil unless all are known.
    package var received: ByteRanges? { unknownReason == nil ? taken : nil }

    /// The same, also of requests that had nothing left to save; nil if unknown.
    package var requestsUnderWay: Int? {
        answers.map { $0.count(where: \.isUnderWay) } ?? activeRequests
    }

    /// The bytes taken of each answer with a request possibly under way; nil if unknown.
    package var takenUnderWay: [Int64]? { answers.map { $0.filter(\.isUnderWay).map(\.count) } }

    /// The same, each position counted once: without evictions it can be lost only once.
    package var distinctTakenUnderWay: [Int64]? {
        guard let answers else { return nil }
        var seen = ByteRanges()
        return answers.filter(\.isUnderWay).sorted { $0.count > $1.count }.map { answer in
            let new = ByteRanges([answer.taken]).subtracting(seen)
            seen = seen.union(new)
            return new.count
        }
    }
}
