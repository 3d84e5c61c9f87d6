import Dispatch
import Synchronization

/// Runs an action after a time limit unless it is cancelled first.
///
/// It kills a program that hangs, so that the test waiting for it fails instead of hanging too.
package final class Alarm: Sendable {
    private enum State {
        case set, off, rung
    }

    private let state = Mutex(State.set)

    /// Sets an alarm.
    package init(after limit: Duration, _ action: @escaping @Sendable () -> Void) {
        let end = DispatchTime.now() + .seconds(Int(limit.components.seconds))
        DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in
            let rings = self?.state.withLock { state in
                guard state == .set else { return false }
                state = .rung
                return true
            }
            if rings == true { action() }
        }
    }

    /// Cancels the alarm; throws ``NeverHappened`` if it has already fired.
    package func cancel(_ what: String) throws {
        let hasRung = state.withLock { state in
            defer { if state == .set { state = .off } }
            return state == .rung
        }
        if hasRung { throw NeverHappened(what: what) }
    }
}
