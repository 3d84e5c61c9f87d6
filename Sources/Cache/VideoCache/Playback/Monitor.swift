internal import Foundation
internal import Synchronization

/// State that threads can wait for: a lock, and a condition that wakes all waiting threads.
final class Monitor<State: Sendable>: Sendable {
    // Always taken before the state's own lock, which exists only so that the compiler can check
    // that the state is never accessed without a lock.
    private let condition = NSCondition()
    private let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }

    /// Reads the state, or changes it without waking any thread.
    func withLock<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        return try state.withLock { try body(&$0) }
    }

    /// Changes the state, and wakes all waiting threads.
    @discardableResult
    func change<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.broadcast() }
        return try state.withLock { try body(&$0) }
    }

    /// Waits until the body returns a value; it is called again after each change.
    func wait<Value: Sendable>(until body: (inout State) throws -> Value?) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let value = try state.withLock({ try body(&$0) }) { return value }
            condition.wait()
        }
    }
}
