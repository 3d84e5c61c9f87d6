internal import Dispatch
internal import Foundation
internal import Synchronization
internal import VideoCache

/// Handles Ctrl-C and SIGTERM by cancelling: received bytes are saved first (T12).
///
/// A thread of its own waits for them: Dispatch needs more threads, and hangs where none can be
/// started, and `/proc`, without which it crashes. One that is ignored from the start stays so, as
/// the SIGINT of a program in a shell's background.
final class Interruption: Sendable {
    let cancellation = Cancellation()
    private let first = Atomic<Int32>(0)
    private let arrived = DispatchSemaphore(value: 0)

    /// Waits for both signals, for the rest of the process's life; must be called before another
    /// thread is started, which would still be ended by them.
    init() throws {
        var signals = Self.signals
        // From here on they wait for the thread: one that comes at once is not lost.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        try WorkThread.start { [self] in takeSignals() }
    }

    /// Blocks the calling thread until the first signal has arrived.
    func wait() {
        arrived.wait()
        arrived.signal()
    }

    /// 130 after SIGINT, 143 after SIGTERM.
    var exitCode: Int32 { 128 + first.load(ordering: .acquiring) }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] where !isIgnored(number) { sigaddset(&signals, number) }
        return signals
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if os(Linux)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private func takeSignals() {
        var signals = Self.signals
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            _ = first.compareExchange(
                expected: 0, desired: number, ordering: .acquiringAndReleasing)
            arrived.signal()
            cancellation.cancel()
        }
    }
}
