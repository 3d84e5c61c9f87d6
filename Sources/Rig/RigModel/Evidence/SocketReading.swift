/// What a worker took of one of the origin's answers, by the kernel's count.
package struct TakenAnswer: Sendable, Hashable, Codable {
    /// The positions certainly taken, starting at the answer's first position.
    package let taken: Range<Int64>
    /// The upper bound of the positions possibly taken: the end of ``taken``, unless the connection
    /// was closed so abruptly that the kernel dropped its counters.
    package let mostTaken: Int64
    /// True when the whole answer was taken.
    package let isWhole: Bool
    /// True when its request may have been under way at the kill: its bytes were still arriving, or
    /// the last ones had arrived so recently that they may not have reached the disk yet.
    package let isUnderWay: Bool
    /// True for the last answer read on a connection that was open at the kill: a read of it may
    /// have been in progress.
    package let isBeingRead: Bool

    /// Creates a taken answer.
    package init(
        taken: Range<Int64>, mostTaken: Int64? = nil, isWhole: Bool, isUnderWay: Bool,
        isBeingRead: Bool
    ) {
        self.taken = taken
        self.mostTaken = max(mostTaken ?? taken.upperBound, taken.upperBound)
        self.isWhole = isWhole
        self.isUnderWay = isUnderWay
        self.isBeingRead = isBeingRead
    }

    /// The number of bytes certainly taken.
    package var count: Int64 { taken.upperBound - taken.lowerBound }
}

/// What a worker had taken off its sockets when it died, by the kernel's count: the black box level
/// of the worker contract.
///
/// Per connection to the origin: bytes delivered by the kernel, minus the receive queue, minus the
/// response heads, mapped to the body positions in the origin's ledger. Counted after death, so
/// that counting does not shift the moment of the kill.
package struct SocketReading: Sendable, Hashable, Codable {
    /// The answers, in order; nil if unknown.
    package let answers: [TakenAnswer]?
    /// The number of answers with requests possibly under way at the kill; nil if unknown.
    package let activeRequests: Int?
    /// Why not all positions taken are known: a transport other than plain HTTP, chunked encoding,
    /// a connection that the rig lost track of; nil when all are known.
    package let unknownReason: String?
    /// True when the kernel answered but its figures are ambiguous because of how the worker uses
    /// its connections.
    package let isLost: Bool

    /// A reading of known answers.
    package init(answers: [TakenAnswer]) {
        self.answers = answers
        activeRequests = answers.count(where: \.isUnderWay)
        let isCertain = answers.allSatisfy { $0.mostTaken == $0.taken.upperBound }
        unknownReason = isCertain ? nil : Self.abrupt
        isLost = false
    }

    /// A reading that does not tell what was received.
    package init(unknown reason: String, activeRequests: Int? = nil, isLost: Bool = false) {
        answers = nil
        self.activeRequests = activeRequests
        unknownReason = reason
        self.isLost = isLost
    }

    /// Why it is unknown what was read of a connection without kernel counters.
    package static let abrupt =
        "a connection was closed abruptly (SO_LINGER), after which the kernel does not tell what"
        + " was read of it"

    /// The positions certainly taken; nil if unknown.
    package var taken: ByteRanges? { answers.map { ByteRanges($0.map(\.taken)) } }

    /// Positions possibly taken in addition; empty when all are certain.
    package var mayBeTaken: ByteRanges {
        ByteRanges((answers ?? []).map { $0.taken.upperBound..<$0.mostTaken })
            .subtracting(taken ?? ByteRanges())
    }

    /// The positions of the video taken off sockets in this life; nil unless all are known.
    package var received: ByteRanges? { unknownReason == nil ? taken : nil }

    /// The bytes taken of each answer with a request possibly under way; nil if unknown.
    package var takenUnderWay: [Int64]? {
        answers.map { $0.filter(\.isUnderWay).map(\.count) }
    }
}

/// What a worker's profile offers and promises, as far as verdicts depend on it (spec 2).
package struct WorkerContract: Sendable, Hashable, Codable {
    /// True when it writes a witness page: without one, its kill proves nothing.
    package let hasWitness: Bool
    /// True when its state can be read: otherwise its kill proves nothing.
    package let hasInspection: Bool
    /// The loss bound per kill; nil when nothing is promised.
    package let bound: LossBound?
    /// The origin's bandwidth in bytes per second, for a bound in seconds; nil when unlimited.
    package let bytesPerSecond: Int64?
    /// False for a worker with a source of its own: the rig does not see what it fetches.
    package let asksOrigin: Bool
    /// True for the worker with a documented minimum commit size (B8).
    package let isReference: Bool
    /// True for a worker that promises to revalidate its copy with the origin, even a complete one;
    /// nil for one that does not.
    package let revalidates: Bool?

    /// Creates a contract.
    package init(
        hasWitness: Bool, hasInspection: Bool, bound: LossBound?, bytesPerSecond: Int64? = nil,
        asksOrigin: Bool = true, isReference: Bool = false, revalidates: Bool? = nil
    ) {
        self.hasWitness = hasWitness
        self.hasInspection = hasInspection
        self.bound = bound
        self.bytesPerSecond = bytesPerSecond
        self.asksOrigin = asksOrigin
        self.isReference = isReference
        self.revalidates = revalidates
    }

    /// True when the worker saves by the policy's threshold, so that `disabled` means no save
    /// before the end.
    package var isByThreshold: Bool { bound == .threshold }

    /// The reference downloader's contract: every level, and one threshold per active request.
    package static let reference = WorkerContract(
        hasWitness: true, hasInspection: true, bound: .threshold, isReference: true)

    /// The contract that a worker's profile states for a fault.
    package init(_ worker: WorkerProfile, fault: Fault, bytesPerSecond: Int64?) {
        self.init(
            hasWitness: worker.writesWitness, hasInspection: worker.inspection != nil,
            bound: worker.bound[fault], bytesPerSecond: bytesPerSecond,
            asksOrigin: worker.source == nil, isReference: worker.isDocumented,
            revalidates: worker.revalidates)
    }
}
