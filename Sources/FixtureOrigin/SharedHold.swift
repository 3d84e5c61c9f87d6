internal import Synchronization

/// A number of distinct positions that several mounts may hand out together.
///
/// Exactly this many reach the clients of all of them, as with the hold of one mount. It is not
/// lifted: whoever set it cuts the mounts.
package final class SharedHold: Sendable {
    /// How many are left.
    let left: Mutex<Int64>

    /// A hold after so many distinct bytes.
    package init(afterDistinctBytes count: Int64) {
        left = Mutex(count)
    }

    /// True once every position that may go has gone.
    package var isReached: Bool { left.withLock { $0 <= 0 } }
}
