internal import Synchronization

/// Whether the user has asked the rig to stop.
///
/// Set from a signal handler's queue, read by every wait: a run stops within one poll.
package final class Interruption: Sendable {
    private let flag = Atomic(false)

    /// Nobody has asked yet.
    package init() {}

    /// Asks the run to stop.
    package func raise() {
        flag.store(true, ordering: .releasing)
    }

    /// True once asked.
    package var isRaised: Bool { flag.load(ordering: .acquiring) }
}

/// The run was stopped by the user; what was done is kept.
package struct Interrupted: Error, CustomStringConvertible {
    /// What is known of it.
    package var description: String { "interrupted; the rows so far are kept" }

    /// The one value.
    package init() {}
}
