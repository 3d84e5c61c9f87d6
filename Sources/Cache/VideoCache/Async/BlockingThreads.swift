internal import Dispatch
internal import Synchronization

/// Threads for work that waits for the disk or an origin: one per running piece of work.
///
/// Dispatch queues share 255 threads, so that many players waiting for a silent origin would block
/// all others, even from cached bytes. Some idle threads are kept for a while, because starting a
/// thread for each read would often cost more than the read.
package final class BlockingThreads: Sendable {
    package static let shared = BlockingThreads()

    private struct Guarded {
        // For each piece of work, a thread was signalled, or is about to be.
        var work: [@Sendable () -> Void] = []
        var idle = 0
        // The number of idle threads that were signalled, and have not taken their work yet.
        var called = 0
    }

    private static let mostIdle = 16
    private static let patience = DispatchTimeInterval.seconds(5)

    private let bell = DispatchSemaphore(value: 0)
    private let guarded = Mutex(Guarded())

    package init() {}

    /// Runs work that blocks, and returns its value.
    ///
    /// - Parameter onCancel: makes the work end early; called when the task is cancelled.
    /// - Throws: what the work throws, and `CancellationError` instead of
    ///   ``TransportError/cancelled`` if the task was cancelled; ``ThreadError``.
    package func value<Value: Sendable>(
        onCancel: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    do {
                        try run { continuation.resume(with: Result { try work() }) }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            } onCancel: {
                onCancel()
            }
        } catch TransportError.cancelled where Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Runs the work on a thread that does nothing else meanwhile; if this throws, it is not done.
    package func run(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        let isCalled = guarded.withLock { guarded in
            guard guarded.idle > guarded.called else { return false }
            guarded.work.append(work)
            guarded.called += 1
            return true
        }
        if isCalled {
            bell.signal()
            return
        }
        // If the thread's closure captured the work, what that holds, such as a player's connection,
        // would live as long as the thread.
        let first = FirstWork(work)
        try WorkThread.start { [self] in
            first.take()?()
            while waitForWork() { take()() }
        }
    }

    private final class FirstWork: Sendable {
        private let work: Mutex<(@Sendable () -> Void)?>

        init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

        func take() -> (@Sendable () -> Void)? {
            work.withLock { work in
                defer { work = nil }
                return work
            }
        }
    }

    private func take() -> @Sendable () -> Void { guarded.withLock { $0.work.removeFirst() } }

    /// Waits for work, which the caller must then take; false ends the thread.
    private func waitForWork() -> Bool {
        let mayWait = guarded.withLock { guarded in
            guard guarded.idle < Self.mostIdle else { return false }
            guarded.idle += 1
            return true
        }
        guard mayWait else { return false }
        if bell.wait(timeout: .now() + Self.patience) == .timedOut {
            let isNeeded = guarded.withLock { guarded in
                guard guarded.idle == guarded.called else {
                    guarded.idle -= 1
                    return false
                }
                return true
            }
            guard isNeeded else { return false }
            bell.wait()
        }
        guarded.withLock { guarded in
            guarded.idle -= 1
            guarded.called -= 1
        }
        return true
    }
}
