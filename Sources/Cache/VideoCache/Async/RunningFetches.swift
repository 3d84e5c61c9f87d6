internal import Dispatch
internal import Synchronization

/// The fetches that run in the background, so that the cache's close can end them.
final class RunningFetches: Sendable {
    private struct Guarded {
        var cancellations: [ObjectIdentifier: Cancellation] = [:]
        var isEnding = false
    }

    private let guarded = Mutex(Guarded())
    private let group = DispatchGroup()

    var isEmpty: Bool { guarded.withLock { $0.cancellations.isEmpty } }

    /// Counts a fetch that begins; once ``end()`` was called, it is cancelled at once.
    func add(_ cancellation: Cancellation) {
        group.enter()
        let isEnding = guarded.withLock { guarded in
            guarded.cancellations[ObjectIdentifier(cancellation)] = cancellation
            return guarded.isEnding
        }
        if isEnding { cancellation.cancel() }
    }

    /// Counts a fetch that has saved what it had received.
    func remove(_ cancellation: Cancellation) {
        guarded.withLock {
            _ = $0.cancellations.removeValue(forKey: ObjectIdentifier(cancellation))
        }
        group.leave()
    }

    /// Cancels all, and waits until what they had received is saved.
    func end() {
        let running = guarded.withLock { guarded in
            guarded.isEnding = true
            return Array(guarded.cancellations.values)
        }
        for cancellation in running { cancellation.cancel() }
        group.wait()
    }
}
