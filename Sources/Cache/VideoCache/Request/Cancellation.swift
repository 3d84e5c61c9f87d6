import Synchronization

/// Cancels a request; any thread may do so, once and irrevocably (S3).
public final class Cancellation: Sendable {
    private struct Listeners {
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let flag = Atomic(false)
    private let listeners = Mutex(Listeners())

    /// Creates a cancellation that has not been triggered.
    public init() {}

    /// Cancels the request; returns at once.
    public func cancel() {
        flag.store(true, ordering: .releasing)
        let actions = listeners.withLock { listeners in
            let actions = listeners.actions
            listeners.actions = [:]
            return actions
        }
        for action in actions.values { action() }
    }

    /// True after `cancel`.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Runs the body, and calls `wake` if the cancellation is triggered meanwhile.
    ///
    /// - Parameters:
    ///   - wake: wakes the body; called on the cancelling thread, or at once if already cancelled.
    ///   - body: the work that may block.
    public func waking<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () throws -> Value
    ) rethrows -> Value {
        let number = listeners.withLock { listeners in
            listeners.last += 1
            listeners.actions[listeners.last] = wake
            return listeners.last
        }
        defer { listeners.withLock { _ = $0.actions.removeValue(forKey: number) } }
        // Cancelled before the registration above, so `cancel` has not called `wake`.
        if isCancelled { wake() }
        return try body()
    }
}
