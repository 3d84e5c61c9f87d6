import Foundation
import Synchronization
import TestSupport
import Testing

@testable import VideoCache

/// A thread used to keep its first work, and what that had captured, until the thread ended.
///
/// That included the descriptor of a player's connection. The server closed its own after the
/// answer, but a player that waited for the connection's end saw it only once the thread had been
/// idle for five seconds, and on a busy proxy never.
@Suite struct BlockingThreadsTests {
    private final class Held: Sendable {
        let isGone: Flag

        init(_ isGone: Flag) { self.isGone = isGone }

        deinit { isGone.set(true) }
    }

    private func run(
        on threads: BlockingThreads, _ work: @escaping @Sendable () -> Void
    ) throws -> UInt {
        let thread = Mutex<UInt>(0)
        let isDone = DispatchSemaphore(value: 0)
        try threads.run {
            work()
            thread.withLock { $0 = UInt(pthread_self()) }
            isDone.signal()
        }
        isDone.wait()
        return thread.withLock { $0 }
    }

    /// A thread that is idle for long ends, so each attempt begins with a new one.
    @Test func whatIsDoneIsLetGoWhileItsThreadGoesOn() throws {
        var wasGone = false
        try blockUntil("the first thread does other work") {
            let (threads, isGone, seen) = (BlockingThreads(), Flag(), Flag())
            let first = try begin(on: threads, isGone)
            // The same thread has run other work since, so it is done with the first.
            let second = try run(on: threads) { seen.set(isGone.value) }
            wasGone = seen.value
            return first == second
        }
        #expect(wasGone)
    }

    private func begin(on threads: BlockingThreads, _ isGone: Flag) throws -> UInt {
        let held = Held(isGone)
        return try run(on: threads) { withExtendedLifetime(held) {} }
    }
}
