import Synchronization

/// A request's off switch, which any thread may press, once and for good (S3).
public final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// A switch that nobody has pressed.
    public init() {}

    /// Asks the request to stop; returns at once.
    public func cancel() {
        flag.store(true, ordering: .releasing)
    }

    /// True after `cancel`.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}
