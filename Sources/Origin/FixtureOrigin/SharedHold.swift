internal import Synchronization

/// A number of distinct positions that several mounts may hand out together, exactly, as with one
/// mount's hold; it is never lifted: its creator cuts the mounts.
package final class SharedHold: Sendable {
    /// How many positions are left.
    let left: Mutex<Int64>

    package init(afterDistinctBytes count: Int64) { left = Mutex(count) }

    /// True once every allowed position has been handed out.
    package var isReached: Bool { left.withLock { $0 <= 0 } }
}
