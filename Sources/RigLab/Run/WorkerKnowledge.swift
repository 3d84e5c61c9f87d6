internal import RigModel
internal import Synchronization

/// What a run has learned of its worker: how long it takes when nobody harms it, and how often it is
/// in each phase.
///
/// The laboratories of a run share it.
package final class WorkerKnowledge: Sendable {
    let phases = PhaseCounts()
    /// Seconds from first byte to end of the shortest uninterrupted run seen, by policy.
    private let uninterrupted = Mutex<[Policy: Double]>([:])

    /// Nothing is known yet.
    package init() {}

    /// Seconds of the shortest uninterrupted run; infinite when none was seen.
    func uninterruptedSeconds(of policy: Policy) -> Double {
        uninterrupted.withLock { $0[policy] } ?? .infinity
    }

    /// Remembers an uninterrupted run.
    func remember(_ seconds: Double, of policy: Policy) {
        uninterrupted.withLock { $0[policy] = min($0[policy] ?? .infinity, seconds) }
    }
}
