/// What a worker took of one answer of the origin, as the kernel counted it.
package struct TakenAnswer: Sendable, Hashable, Codable {
    /// The positions taken for certain, from the answer's first one on.
    package let taken: Range<Int64>
    /// Where the positions end that may have been taken: the end of ``taken``, unless the connection
    /// was closed so abruptly that the kernel forgot its figures.
    package let mostTaken: Int64
    /// True where nothing of the answer was left to take.
    package let isWhole: Bool
    /// True where its request can have been under way at the kill: its bytes were still coming, or
    /// the last of them had come so shortly before that they may have been on their way to the disk.
    package let isUnderWay: Bool
    /// True for the last answer that was read from on a connection that was open at the kill: a read
    /// of it may have been in hand.
    package let isBeingRead: Bool

    /// What was taken of an answer.
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

    /// How many bytes were taken for certain.
    package var count: Int64 { taken.upperBound - taken.lowerBound }
}

/// What the kernel says a worker had taken off its sockets when it died: the black box level of the
/// worker contract.
///
/// Of each connection to the origin: what the kernel delivered, less what lay in the receive queue,
/// less the heads of the responses, put where the origin's ledger says that the bodies lie. It is
/// counted after the death, so that no kill is moved for its sake.
package struct SocketReading: Sendable, Hashable, Codable {
    /// Answer by answer; nil when that is not known.
    package let answers: [TakenAnswer]?
    /// The answers whose requests can have been under way at the kill; nil when that is not known.
    package let activeRequests: Int?
    /// Why not all positions taken are known: another transport than plain HTTP, chunks, a
    /// connection that was lost sight of; nil where they are.
    package let unknownReason: String?
    /// True where the kernel could be asked, and what it says cannot be told apart: what a worker
    /// brings about by how it uses its connections.
    package let isLost: Bool

    /// A reading.
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

    /// Why it is not known what was read of a connection without figures.
    package static let abrupt =
        "a connection was closed abruptly (SO_LINGER), after which the kernel does not tell what"
        + " was read of it"

    /// The positions taken for certain; nil where nothing is known.
    package var taken: ByteRanges? { answers.map { ByteRanges($0.map(\.taken)) } }

    /// Positions that may have been taken beside those; none where all is certain.
    package var mayBeTaken: ByteRanges {
        ByteRanges((answers ?? []).map { $0.taken.upperBound..<$0.mostTaken })
            .subtracting(taken ?? ByteRanges())
    }

    /// The positions of the video taken off sockets in this life; nil when they are not all known.
    package var received: ByteRanges? { unknownReason == nil ? taken : nil }

    /// What was taken of each answer whose request can have been under way; nil when not known.
    package var takenUnderWay: [Int64]? {
        answers.map { $0.filter(\.isUnderWay).map(\.count) }
    }
}

/// What a worker's profile offers and promises, as far as a verdict depends on it (spec 2).
package struct WorkerContract: Sendable, Hashable, Codable {
    /// True when it keeps a witness page: without one its kill proves nothing.
    package let hasWitness: Bool
    /// True when its state can be read: without that its kill proves nothing.
    package let hasInspection: Bool
    /// What the kill may cost; nil where nothing is promised.
    package let bound: LossBound?
    /// The origin's pace in bytes per second, for a bound in seconds; nil when it is not limited.
    package let bytesPerSecond: Int64?
    /// False for a worker with a source of its own: of what it fetches the rig sees nothing.
    package let asksOrigin: Bool
    /// True for the worker whose documents say how large its commits are at least (B8).
    package let isReference: Bool
    /// True for a worker that promises to ask the origin whether what it has is still the video, also
    /// once it has all; nil for one that does not.
    package let revalidates: Bool?

    /// What a profile offers and promises.
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

    /// True where the policy's threshold is what the worker saves by, so that `disabled` means that
    /// it saves nothing before the end.
    package var isByThreshold: Bool { bound == .threshold }

    /// The reference downloader's: every level, and the threshold per active request.
    package static let reference = WorkerContract(
        hasWitness: true, hasInspection: true, bound: .threshold, isReference: true)

    /// What a worker's profile says of a fault.
    package init(_ worker: WorkerProfile, fault: Fault, bytesPerSecond: Int64?) {
        self.init(
            hasWitness: worker.writesWitness, hasInspection: worker.inspection != nil,
            bound: worker.bound[fault], bytesPerSecond: bytesPerSecond,
            asksOrigin: worker.source == nil, isReference: worker.isDocumented,
            revalidates: worker.revalidates)
    }
}
