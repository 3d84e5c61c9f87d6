internal import Foundation
internal import Synchronization

/// State that threads wait for: a lock, and a bell that wakes all who wait.
final class Monitor<State: Sendable>: Sendable {
    // Always taken before the state's own lock; that one exists so that the compiler can see that
    // the state is never touched without a lock.
    private let condition = NSCondition()
    private let state: Mutex<State>

    /// A monitor over its first state.
    init(_ state: State) {
        self.state = Mutex(state)
    }

    /// Looks at the state, or changes it without anybody having to know.
    func withLock<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        return try state.withLock { try body(&$0) }
    }

    /// Changes the state, and wakes all who wait.
    @discardableResult
    func change<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.broadcast() }
        return try state.withLock { try body(&$0) }
    }

    /// Waits until the body finds what it looks for; it is asked again after each change.
    func wait<Value: Sendable>(until body: (inout State) throws -> Value?) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let value = try state.withLock({ try body(&$0) }) { return value }
            condition.wait()
        }
    }
}
