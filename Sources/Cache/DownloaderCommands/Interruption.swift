internal import Dispatch
internal import Foundation
internal import Synchronization
internal import VideoCache

/// Handles Ctrl-C and SIGTERM by cancelling: received bytes are saved first (T12).
///
/// One that the program that started this one has it ignore stays ignored, as the SIGINT of a
/// program in a shell's background.
final class Interruption {
    /// Triggered by the first signal.
    let cancellation = Cancellation()
    private let first = FirstSignal()
    private let arrived = DispatchSemaphore(value: 0)
    private let sources: [any DispatchSourceSignal]

    /// Installs handlers for both signals, for the rest of the process's life.
    ///
    /// Blocks until they are installed. Dispatch does that on another thread: a signal that came
    /// before, right after the program had said that it was ready, was lost, and the program ran on
    /// for ever (19 of 8,229 launches on a busy machine). Until then a signal ends the process.
    init() {
        let (cancellation, first, arrived) = (cancellation, first, arrived)
        let installed = DispatchSemaphore(value: 0)
        sources = [SIGINT, SIGTERM].filter { !Self.isIgnored($0) }.map { number in
            #if !os(Linux)
                // On Linux, Dispatch replaces the signal's action; elsewhere it only observes it.
                signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                first.note(number)
                cancellation.cancel()
                arrived.signal()
            }
            source.setRegistrationHandler { installed.signal() }
            source.activate()
            return source
        }
        for _ in sources { installed.wait() }
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
