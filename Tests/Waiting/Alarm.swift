import Dispatch
import Synchronization

/// Does something once a limit is over, unless it is called off before: what kills a program that
/// hangs, so that the test which waits for it goes on and fails.
package final class Alarm: Sendable {
    private enum State {
        case set, off, rung
    }

    private let state = Mutex(State.set)

    /// Sets an alarm.
    ///
    /// - Parameters:
    ///   - limit: when it rings.
    ///   - action: what it does then.
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

    /// Calls it off.
    ///
    /// - Parameter what: what would have ended in time.
    /// - Throws: ``NeverHappened`` where it has rung.
    package func cancel(_ what: String) throws {
        let hasRung = state.withLock { state in
            defer { if state == .set { state = .off } }
            return state == .rung
        }
        if hasRung { throw NeverHappened(what: what) }
    }
}
