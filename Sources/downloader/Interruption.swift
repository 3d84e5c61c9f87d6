internal import Dispatch
internal import Foundation
internal import Synchronization
internal import VideoCache

/// Handles Ctrl-C and SIGTERM by cancelling: received bytes are saved first (T12).
final class Interruption {
    /// Triggered by the first signal.
    let cancellation = Cancellation()
    private let first = FirstSignal()
    private let arrived = DispatchSemaphore(value: 0)
    private let sources: [any DispatchSourceSignal]

    /// Installs handlers for both signals, for the rest of the process's life.
    init() {
        let (cancellation, first, arrived) = (cancellation, first, arrived)
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                first.note(number)
                cancellation.cancel()
                arrived.signal()
            }
            source.activate()
            return source
        }
    }

    /// Blocks the calling thread until the first signal has arrived.
    func wait() {
        arrived.wait()
        arrived.signal()
    }

    /// 130 after SIGINT, 143 after SIGTERM.
    var exitCode: Int32 { 128 + first.number }
}

/// The number of the signal that arrived first.
private final class FirstSignal: Sendable {
    private let value = Atomic<Int32>(0)

    var number: Int32 { value.load(ordering: .acquiring) }

    func note(_ number: Int32) {
        _ = value.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing)
    }
}
