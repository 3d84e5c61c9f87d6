internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads for work that waits for the disk or an origin: as many as there is work at once.
///
/// Not dispatch queues: those share 255 threads, so that so many players who wait for a silent
/// origin would keep all others from what is cached. Some threads that have nothing to do are kept
/// for a while, since starting one for each read would cost more than many a read.
final class BlockingThreads: Sendable {
    private struct Guarded {
        // For each a thread was, or is about to be, begun or called.
        var work: [@Sendable () -> Void] = []
        var idle = 0
        // So many of the idle threads were called, and have not taken their work yet.
        var called = 0
    }

    private static let mostIdle = 16
    private static let patience = DispatchTimeInterval.seconds(5)

    private let bell = DispatchSemaphore(value: 0)
    private let guarded = Mutex(Guarded())

    /// Runs the work on a thread that does nothing else meanwhile.
    func run(_ work: @escaping @Sendable () -> Void) {
        let isCalled = guarded.withLock { guarded in
            guarded.work.append(work)
            guard guarded.idle > guarded.called else { return false }
            guarded.called += 1
            return true
        }
        if isCalled {
            bell.signal()
            return
        }
        // It takes its first work from the queue, too: what a thread's own closure captures, such as
        // a player's connection, would stay for as long as the thread.
        Thread.detachNewThread { [self] in
            repeat { take()() } while waitForWork()
        }
    }

    private func take() -> @Sendable () -> Void {
        guarded.withLock { $0.work.removeFirst() }
    }

    /// Waits until there is work for a thread that has none, which must take it; false ends it.
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
