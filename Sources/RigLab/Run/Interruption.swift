internal import Synchronization

/// Whether the user has asked the rig to stop.
///
/// Set from a signal handler's queue, read by every wait: a run stops within one poll. An
/// interruption within another ends a part of what the other ends: a job of a run whose result does
/// not count any more.
package final class Interruption: Sendable {
    private let flag = Atomic(false)
    private let outer: Interruption?

    /// Nobody has asked yet.
    ///
    /// - Parameter outer: ends this one, too; nil for one that stands alone.
    package init(within outer: Interruption? = nil) {
        self.outer = outer
    }

    /// Asks the run to stop, or a part of it.
    package func raise() {
        flag.store(true, ordering: .releasing)
    }

    /// True once asked.
    package var isRaised: Bool { flag.load(ordering: .acquiring) || outer?.isRaised ?? false }
}

/// The run was stopped by the user; what was done is kept.
package struct Interrupted: Error, CustomStringConvertible {
    /// What is known of it.
    package var description: String { "interrupted; the rows so far are kept" }

    /// The one value.
    package init() {}
}
