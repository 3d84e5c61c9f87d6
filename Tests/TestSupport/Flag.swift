import Synchronization

/// A flag shared by several threads.
package final class Flag: Sendable {
    private let flag = Mutex(false)

    /// Creates a flag that is not set.
    package init() {}

    package var value: Bool { flag.withLock { $0 } }

    package func set(_ value: Bool = true) { flag.withLock { $0 = value } }
}
