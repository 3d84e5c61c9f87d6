import Synchronization

/// A request's off switch, which any thread may press, once and for good (S3).
public final class Cancellation: Sendable {
    private struct Listeners {
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let flag = Atomic(false)
    private let listeners = Mutex(Listeners())

    /// A switch that nobody has pressed.
    public init() {}

    /// Asks the request to stop; returns at once.
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

    /// Runs the body, and wakes it by the action when the switch is pressed meanwhile.
    ///
    /// - Parameters:
    ///   - wake: runs once, on the thread that presses; at once when it was pressed before.
    ///   - body: what may have to be woken.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws.
    public func waking<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () throws -> Value
    ) rethrows -> Value {
        let number = listeners.withLock { listeners in
            listeners.last += 1
            listeners.actions[listeners.last] = wake
            return listeners.last
        }
        defer { listeners.withLock { _ = $0.actions.removeValue(forKey: number) } }
        // Pressed between the last look and the entry above: nobody else will wake the body.
        if isCancelled { wake() }
        return try body()
    }
}
