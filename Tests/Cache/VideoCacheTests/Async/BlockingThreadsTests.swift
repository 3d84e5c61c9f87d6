import Foundation
import Testing
import TestSupport

@testable import VideoCache

/// A thread used to keep its first work, and what that had captured, until the thread ended.
///
/// That included the descriptor of a player's connection. The server closed its own after the
/// answer, but a player that waited for the connection's end saw it only once the thread had been
/// idle for five seconds, and on a busy proxy never.
@Suite struct BlockingThreadsTests {
    /// Sets a flag when it is deallocated.
    private final class Held: Sendable {
        let isGone: Flag

        init(_ isGone: Flag) { self.isGone = isGone }

        deinit { isGone.set(true) }
    }

    /// Runs the work, and returns the thread it ran on.
    private func run(
        on threads: BlockingThreads, _ work: @escaping @Sendable () -> Void
    ) async throws -> pthread_t {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try threads.run {
                    work()
                    continuation.resume(returning: pthread_self())
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    @Test func whatIsDoneIsLetGoWhileItsThreadGoesOn() async throws {
        let threads = BlockingThreads()
        let isGone = Flag()
        let first = try await begin(on: threads, isGone)
        // The same thread has run other work since, so it is done with the first.
        var wasGone = false
        try await eventually("no work is done by the first thread again") {
            let (seen, thread) = try await look(on: threads, isGone)
            wasGone = seen
            return pthread_equal(thread, first) != 0
        }
        #expect(wasGone)
    }

    private func begin(on threads: BlockingThreads, _ isGone: Flag) async throws -> pthread_t {
        let held = Held(isGone)
        return try await run(on: threads) { withExtendedLifetime(held) {} }
    }

    private func look(
        on threads: BlockingThreads, _ isGone: Flag
    ) async throws -> (wasGone: Bool, thread: pthread_t) {
        let seen = Flag()
        let thread = try await run(on: threads) { seen.set(isGone.value) }
        return (seen.value, thread)
    }
}
