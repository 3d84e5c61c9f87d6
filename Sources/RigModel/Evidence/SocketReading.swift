/// What the kernel says a worker had taken off its sockets when it died: the black box level of the
/// worker contract.
///
/// Of each connection to the origin: what the kernel delivered, less what lay in the receive queue,
/// less the heads of the responses, put where the origin's ledger says that the bodies lie. It is
/// counted after the death, so that no kill is moved for its sake.
package struct SocketReading: Sendable, Hashable, Codable {
    /// The positions of the video taken off sockets in this life; nil when that is not known.
    package let received: ByteRanges?
    /// The connections on which a request can have been under way: those that had brought an answer,
    /// and were open at the kill or had been closed shortly before it; nil when that is not known.
    ///
    /// A connection carries one request at a time, and what a request leaves unsaved may still be on
    /// its way to the disk right after its connection was closed.
    package let activeRequests: Int?
    /// Why it is not known: another transport than plain HTTP, chunks, a connection that was lost
    /// sight of; nil where it is.
    package let unknownReason: String?

    /// A reading.
    package init(received: ByteRanges, activeRequests: Int?) {
        self.received = received
        self.activeRequests = activeRequests
        self.unknownReason = nil
    }

    /// A reading that does not tell what was received.
    package init(unknown reason: String, activeRequests: Int? = nil) {
        self.received = nil
        self.activeRequests = activeRequests
        self.unknownReason = reason
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
