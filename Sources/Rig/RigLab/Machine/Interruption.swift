internal import Synchronization

/// Whether the user has asked the rig to stop: set from a signal handler's queue, read by every
/// wait.
///
/// One inside another ends only a part of the run, such as a job whose result no longer counts, and
/// one by itself a part of an iteration, such as a player.
package final class Interruption: Sendable {
    private let flag = Atomic(false)
    private let outer: Interruption?

    /// An interruption that has not been raised; the outer one, where given, raises it, too.
    package init(within outer: Interruption? = nil) { self.outer = outer }
    package func raise() { flag.store(true, ordering: .releasing) }
    package var isRaised: Bool { flag.load(ordering: .acquiring) || outer?.isRaised ?? false }
}

/// The run was stopped by the user; what was done is kept.
package struct Interrupted: Error, CustomStringConvertible {
    package var description: String { "interrupted; the rows so far are kept" }
    package init() {}
}
