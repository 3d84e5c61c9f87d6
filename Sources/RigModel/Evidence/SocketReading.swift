/// What the kernel says a worker had taken off its sockets, read while it was stopped: the black box
/// level of the worker contract.
///
/// Of each connection to the origin: what the kernel delivered, less what lay in the receive queue,
/// less the heads of the responses, put where the origin's ledger says that the bodies lie.
package struct SocketReading: Sendable, Hashable, Codable {
    /// The positions of the video taken off sockets in this life; nil when that is not known.
    package let received: ByteRanges?
    /// The requests whose bodies were under way; nil when that is not known.
    package let activeRequests: Int?
    /// Why it is not known: another transport than plain HTTP, chunks, a connection that was lost
    /// sight of; nil where it is.
    package let unknownReason: String?
    /// How long the worker was stopped before it was killed, in seconds; nil where it was not
    /// stopped.
    package let stoppedSeconds: Double?

    /// A reading.
    package init(received: ByteRanges, activeRequests: Int?, stoppedSeconds: Double? = nil) {
        self.received = received
        self.activeRequests = activeRequests
        self.unknownReason = nil
        self.stoppedSeconds = stoppedSeconds
    }

    /// A reading that could not be taken.
    package init(unknown reason: String, stoppedSeconds: Double? = nil) {
        self.received = nil
        self.activeRequests = nil
        self.unknownReason = reason
        self.stoppedSeconds = stoppedSeconds
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

    /// What a profile offers and promises.
    package init(
        hasWitness: Bool, hasInspection: Bool, bound: LossBound?, bytesPerSecond: Int64? = nil,
        asksOrigin: Bool = true, isReference: Bool = false
    ) {
        self.hasWitness = hasWitness
        self.hasInspection = hasInspection
        self.bound = bound
        self.bytesPerSecond = bytesPerSecond
        self.asksOrigin = asksOrigin
        self.isReference = isReference
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
            asksOrigin: worker.source == nil, isReference: worker.isDocumented)
    }
}
