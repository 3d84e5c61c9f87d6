internal import Dispatch
internal import Synchronization

/// The fetches that run in the background, so that the cache's close can end them.
final class RunningFetches: Sendable {
    private let cancellations = Mutex<[ObjectIdentifier: Cancellation]>([:])
    private let group = DispatchGroup()

    func add(_ cancellation: Cancellation) {
        group.enter()
        cancellations.withLock { $0[ObjectIdentifier(cancellation)] = cancellation }
    }

    func remove(_ cancellation: Cancellation) {
        cancellations.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(cancellation)) }
        group.leave()
    }

    /// Cancels all, and waits until what they had received is saved.
    func end() {
        for cancellation in cancellations.withLock({ Array($0.values) }) { cancellation.cancel() }
        group.wait()
    }
}
