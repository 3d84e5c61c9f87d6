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
        // Each has an idle thread that was, or is about to be, woken for it.
        var work: [@Sendable () -> Void] = []
        var idle = 0
    }

    private static let mostIdle = 16
    private static let patience = DispatchTimeInterval.seconds(5)

    private let bell = DispatchSemaphore(value: 0)
    private let guarded = Mutex(Guarded())

    /// Runs the work on a thread that does nothing else meanwhile.
    func run(_ work: @escaping @Sendable () -> Void) {
        let isTaken = guarded.withLock { guarded in
            guard guarded.idle > guarded.work.count else { return false }
            guarded.work.append(work)
            return true
        }
        if isTaken {
            bell.signal()
            return
        }
        Thread.detachNewThread { [self] in
            work()
            while let more = next() { more() }
        }
    }

    /// The next work for a thread that has none; nil ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        let mayWait = guarded.withLock { guarded in
            guard guarded.idle < Self.mostIdle else { return false }
            guarded.idle += 1
            return true
        }
        guard mayWait else { return nil }
        if bell.wait(timeout: .now() + Self.patience) == .timedOut {
            let isNeeded = guarded.withLock { guarded in
                guard guarded.idle == guarded.work.count else {
                    guarded.idle -= 1
                    return false
                }
                return true
            }
            guard isNeeded else { return nil }
            bell.wait()
        }
        return guarded.withLock { guarded in
            guarded.idle -= 1
            return guarded.work.removeFirst()
        }
    }
}
