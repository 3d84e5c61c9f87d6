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
    /// False for a worker that fetches nothing, or from a source of its own.
    package let asksOrigin: Bool
    /// True for the worker with a documented minimum commit size (B8).
    package let isReference: Bool
    /// True for a worker that promises to revalidate even a complete copy; nil for others.
    package let revalidates: Bool?

    package init(
        hasWitness: Bool, hasInspection: Bool, bound: LossBound?, bytesPerSecond: Int64? = nil,
        asksOrigin: Bool = true, isReference: Bool = false, revalidates: Bool? = nil
    ) {
        (self.hasWitness, self.hasInspection, self.bound) = (hasWitness, hasInspection, bound)
        (self.bytesPerSecond, self.asksOrigin) = (bytesPerSecond, asksOrigin)
        (self.isReference, self.revalidates) = (isReference, revalidates)
    }

    /// True when `disabled` means no save before the end.
    package var isByThreshold: Bool { bound == .threshold }

    /// The reference downloader's contract: every level, and one threshold per active request.
    package static let reference = WorkerContract(
        hasWitness: true, hasInspection: true, bound: .threshold, isReference: true)

    package init(_ worker: WorkerProfile, fault: Fault, bytesPerSecond: Int64?) {
        self.init(
            hasWitness: worker.writesWitness, hasInspection: worker.inspection != nil,
            bound: worker.bound[fault], bytesPerSecond: bytesPerSecond,
            asksOrigin: worker.source == nil && worker.check == nil,
            isReference: worker.isDocumented, revalidates: worker.revalidates)
    }
}
