internal import Synchronization

/// Lets a client start when its server answers, and stop when either is done.
final class ServedStage: Sendable {
    private struct State {
        var isOpen = false
        var closing: ContinuousClock.Instant?
        var isOver = false
    }

    private let state = Mutex(State())

    func open() { state.withLock { $0.isOpen = true } }

    /// Records that the server has gone: a client that still runs after so many seconds is killed.
    func close(leaving seconds: Double) {
        state.withLock { $0.closing = $0.closing ?? .now + .seconds(seconds) }
    }

    func end() { state.withLock { $0.isOver = true } }
    var isOver: Bool { state.withLock { $0.isOver } }
    var isClosed: Bool { state.withLock { $0.closing.map { $0 <= .now } ?? false } }

    /// Blocks until the server answers; false when it never will.
    func waitUntilOpen() -> Bool {
        while true {
            let (isOpen, isClosing) = state.withLock { ($0.isOpen, $0.closing != nil) }
            if isOpen { return true }
            if isClosing { return false }
            Pause.seconds(0.000_5)
        }
    }
}
