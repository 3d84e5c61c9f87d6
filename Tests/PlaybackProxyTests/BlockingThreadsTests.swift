import Foundation
import Synchronization
import Testing
import Waiting

@testable import PlaybackProxy

/// The first work of a thread was kept for as long as the thread, and with it what it had captured.
///
/// That was the descriptor of a player's connection. The server closed its own when the answer had
/// gone out, but a player that waited for the connection's end got none before the thread had been
/// idle for five seconds, and on a busy proxy none at all.
@Suite struct BlockingThreadsTests {
    /// Says when it has gone.
    private final class Held: Sendable {
        let isGone: Flag

        init(_ isGone: Flag) { self.isGone = isGone }

        deinit { isGone.set(true) }
    }

    /// Runs the work, and says on which thread it ran.
    private func run(
        on threads: BlockingThreads, _ work: @escaping @Sendable () -> Void
    ) async -> pthread_t {
        await withCheckedContinuation { continuation in
            threads.run {
                work()
                continuation.resume(returning: pthread_self())
            }
        }
    }

    @Test func whatIsDoneIsLetGoWhileItsThreadGoesOn() async throws {
        let threads = BlockingThreads()
        let isGone = Flag()
        let first = await begin(on: threads, isGone)
        // The same thread has taken other work since: it cannot be busy with the first any more.
        var wasGone = false
        try await eventually("no work is done by the first thread again") {
            let (seen, thread) = await look(on: threads, isGone)
            wasGone = seen
            return pthread_equal(thread, first) != 0
        }
        #expect(wasGone)
    }

    private func begin(on threads: BlockingThreads, _ isGone: Flag) async -> pthread_t {
        let held = Held(isGone)
        return await run(on: threads) { withExtendedLifetime(held) {} }
    }

    private func look(
        on threads: BlockingThreads, _ isGone: Flag
    ) async -> (wasGone: Bool, thread: pthread_t) {
        let seen = Flag()
        let thread = await run(on: threads) { seen.set(isGone.value) }
        return (seen.value, thread)
    }
}

/// A flag that several threads share.
private final class Flag: Sendable {
    private let flag = Mutex(false)

    var value: Bool { flag.withLock { $0 } }

    func set(_ value: Bool) { flag.withLock { $0 = value } }
}
